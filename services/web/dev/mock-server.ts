// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for the gateway, for looking at screens without a cluster: it serves dist with the gateway's
// Content-Security-Policy and speaks the real protocol, but knows scenes (scenes.ts) instead of rules.
// Codes: a scene's name, FV11RM a full room, N0R00M none. The name "quick" waits for ever.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import {
    ClientFrameSchema,
    Detached_Why,
    PresenceSchema,
    Reason,
    RoomViewSchema,
    ServerFrameSchema,
} from '../src/gen/client_pb';
import { PROTOCOL_CURRENT } from '../src/net/protocol';
import { SCENE_TIME, type Scene } from './scene';
import { games, scenes } from './scenes';

type Kind = NonNullable<MessageInitShape<typeof ServerFrameSchema>['kind']>;

const CSP =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const types: Record<string, string> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.webmanifest': 'application/manifest+json',
};

function refused(code: Reason, params: number[] = []): Kind {
    return { case: 'refused', value: { why: { domain: '', code, params } } };
}

function roomFrame(code: string, scene: Scene): Kind {
    return {
        case: 'room',
        value: {
            version: { epoch: 1n, seq: 10n },
            roomTime: BigInt(SCENE_TIME),
            gameVersion: 7n,
            room: toBinary(RoomViewSchema, create(RoomViewSchema, { ...scene.room, code })),
            presence: toBinary(PresenceSchema, create(PresenceSchema, scene.presence)),
            game: scene.game,
            mine: scene.mine,
        },
    };
}

function enter(code: string, send: (kind: Kind) => void, socket: WebSocket): void {
    const scene = scenes[code];
    if (scene === undefined) {
        return send(refused(code === 'FV11RM' ? Reason.ROOM_FULL : Reason.NO_SUCH_ROOM, [4]));
    }
    send({ case: 'seat', value: { code, seat: scene.seat, generation: 1, counter: 0n, epoch: 1n } });
    send(roomFrame(code, scene));
    if (scene.detached) {
        setTimeout(() => send({ case: 'detached', value: { why: Detached_Why.OTHER_WINDOW } }), 300);
    }
    if (scene.cut) {
        setTimeout(() => socket.terminate(), 300);
    }
}

// The first scene of a game is its room with one person in it.
function firstRoomOf(id: string): string {
    return Object.keys(games.find((g) => g.info.id === id)?.scenes ?? scenes)[0] ?? '';
}

function converse(socket: WebSocket, cutBefore: () => boolean, cut: () => void): void {
    const send = (kind: Kind): void =>
        socket.send(toBinary(ServerFrameSchema, create(ServerFrameSchema, { kind })));
    socket.on('message', (data: Buffer) => {
        const kind = fromBinary(ClientFrameSchema, new Uint8Array(data)).kind;
        switch (kind.case) {
            case 'hello':
                if (cutBefore()) {
                    return socket.terminate();
                }
                return send({
                    case: 'welcome',
                    value: { protocol: PROTOCOL_CURRENT, token: new Uint8Array([1, 2, 3]),
                        games: games.map((g) => g.info), build: 'dev' },
                });
            case 'watchRooms':
                return send({
                    case: 'rooms',
                    value: {
                        rooms: [
                            { code: '10BBY2', game: 'davinci-code', host: '민수', seated: 2, seats: 4 },
                            { code: '10BBY4', game: 'davinci-code', host: '졸린 호랑이', seated: 3, seats: 4 },
                        ],
                    },
                });
            case 'lookUp': {
                const scene = scenes[kind.value.code];
                if (scene === undefined && kind.value.code !== 'FV11RM') {
                    return send(refused(Reason.NO_SUCH_ROOM));
                }
                const game = scene?.room.game ?? 'davinci-code';
                const value = { code: kind.value.code, game, seated: 3, seats: scene?.room.seats?.length ?? 4 };
                return send({ case: 'found', value });
            }
            case 'join':
                if (scenes[kind.value.code]?.cut) {
                    cut();
                }
                return enter(kind.value.code, send, socket);
            case 'create':
                return enter(firstRoomOf(kind.value.game), send, socket);
            case 'quick':
                return send({
                    case: 'quick',
                    value: { game: kind.value.game, waiting: 2, needed: 3, leftMs: 18000 },
                });
            case 'act':
                return send({
                    case: 'answer',
                    value: { generation: kind.value.generation, counter: kind.value.counter, seq: 10n },
                });
            case 'ping':
                return send({ case: 'pong', value: { clientMs: kind.value.clientMs, serverMs: 0n } });
        }
    });
}

export function startMock(dist: string, port: number): Promise<Server> {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/'));
        const file = join(dist, path);
        const known = path !== '/' && extname(path) !== '' && existsSync(file);
        const serve = known ? file : join(dist, 'index.html');
        response.writeHead(200, {
            'content-type': types[extname(serve)] ?? 'application/octet-stream',
            'content-security-policy': CSP,
        });
        createReadStream(serve).pipe(response);
    });
    let down = false;
    new WebSocketServer({ server, path: '/ws' }).on('connection', (socket) =>
        converse(
            socket,
            () => down,
            () => {
                down = true;
                setTimeout(() => (down = false), 8000);
            },
        ),
    );
    return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}
