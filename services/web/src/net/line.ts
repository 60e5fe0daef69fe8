// SPDX-License-Identifier: Apache-2.0
//
// The line to a gateway: carries out what link.ts decides, turns bytes into frames and frames into bytes. What is
// said over it is the conversation's (client.ts).
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ClientFrameSchema, ServerFrameSchema, type ServerFrame, type ServerPing } from '../gen/client_pb';
import { linkStep, newLink, type LinkEvent } from './link';
import { PROTOCOL_CURRENT } from './protocol';
import type { Frame, Ports } from './state';

export abstract class Line {
    protected readonly link = newLink();

    // Which page load this is, and how many connections it has had: a room tells windows apart by these.
    private window = 0n;
    private lines = 0;

    constructor(protected readonly ports: Ports) {
        this.newestWindow();
    }

    // From now on this window is newer than any that was loaded, or came in by a tap, before.
    protected newestWindow(): bigint {
        const chance = BigInt(Math.floor(this.ports.random() * 2 ** 20));
        const drawn = (BigInt(Math.floor(this.ports.date())) << 20n) | chance;
        this.window = drawn > this.window ? drawn : this.window + 1n;
        return this.window;
    }

    // The gateway has welcomed us: speak.
    protected abstract onReady(): void;
    protected abstract onFrame(frame: ServerFrame): void;

    linkEvent(event: LinkEvent): void {
        const effects = linkStep(this.link, event, this.ports.now(), this.ports.random());
        for (const effect of effects) {
            switch (effect) {
                case 'open':
                    this.ports.open();
                    break;
                case 'close':
                    this.ports.close();
                    break;
                case 'hello':
                    this.post({
                        case: 'hello',
                        value: {
                            protocol: PROTOCOL_CURRENT,
                            token: this.ports.token(),
                            window: this.window,
                            line: ++this.lines,
                        },
                    });
                    break;
                case 'ping':
                    this.post({
                        case: 'ping',
                        value: { clientMs: BigInt(Math.round(this.ports.now())) },
                    });
                    break;
                case 'ready':
                    this.onReady();
                    break;
            }
        }
        if (event.kind !== 'heard' && event.kind !== 'pinged') {
            this.ports.changed();
        }
    }

    received(bytes: Uint8Array): void {
        let frame: ServerFrame;
        try {
            frame = fromBinary(ServerFrameSchema, bytes);
        } catch {
            return; // not of our making: a newer server's frame is ignored, never fatal
        }
        this.linkEvent({ kind: 'heard' });
        this.onFrame(frame);
        this.ports.changed();
    }

    protected pinged(ping: ServerPing): void {
        this.post({ case: 'pong', value: { nonce: ping.nonce } });
        this.linkEvent({ kind: 'pinged', nextMs: ping.nextMs });
    }

    // Without a line nothing is said; what has to be is said again in onReady.
    protected post(kind: Frame): void {
        const greeting = kind.case === 'hello' && this.link.phase === 'greeting';
        if (this.link.phase === 'open' || greeting) {
            this.ports.send(toBinary(ClientFrameSchema, create(ClientFrameSchema, { kind })));
        }
        if (kind.case !== 'ping' && kind.case !== 'pong') {
            linkStep(this.link, { kind: 'said' }, this.ports.now(), 0);
        }
    }
}
