// SPDX-License-Identifier: Apache-2.0
//
// A whole cluster of one's own: `madangctl up` on a free port, with its data in a temporary folder. It is stopped by
// its pid, and the folder goes with it.
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '../../..');
export const build = resolve(root, process.env['BUILD'] ?? 'build');
const OURS = ['MADANG_BIN'];
const START_MS = 60_000;
const STOP_MS = 40_000;

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}

export class Cluster {
  private constructor(
    readonly port: number,
    private readonly data: string,
    private readonly supervisor: ChildProcess,
    private said: string,
  ) {}

  // Resolves when browsers can connect. The client's files are copied first: a build that runs meanwhile changes
  // nothing for these tests.
  static async start(): Promise<Cluster> {
    const data = mkdtempSync(join(tmpdir(), 'madang-e2e-'));
    const web = join(data, 'web');
    cpSync(process.env['WEB_DIST'] ?? join(root, 'services/web/dist'), web, { recursive: true });
    const port = await freePort();
    const bin = process.env['MADANG_BIN'] ?? join(build, 'bin');
    const argv = ['up', `--port=${port}`, `--data=${data}`, `--web-dir=${web}`, '--gateways=2', '--workers=2'];
    // A group of its own: what the terminal sends to us is not for it; stopping it is our business.
    // The services refuse variables that they do not know, so ours stay here.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.includes(name)));
    const supervisor = spawn(join(bin, 'madangctl'), argv, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env });
    const cluster = new Cluster(port, data, supervisor, '');
    supervisor.stdout?.on('data', (text: Buffer) => (cluster.said += text.toString()));
    supervisor.stderr?.on('data', (text: Buffer) => (cluster.said += text.toString()));
    supervisor.on('error', (error) => (cluster.said += error.message));
    const until = Date.now() + START_MS;
    while (!cluster.said.includes('Madang is up')) {
      if (Date.now() > until || supervisor.exitCode !== null || supervisor.pid === undefined) {
        const said = cluster.log();
        await cluster.stop();
        throw new Error(`the cluster did not start:\n${said}`);
      }
      await sleep(50);
    }
    return cluster;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  // The pid of a process as the supervisor names it, "gateway-0"; 0 when it is not running.
  pid(name: string): number {
    const line = readFileSync(join(this.data, 'pids'), 'utf8').split('\n').find((l) => l.startsWith(`${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  }

  names(): string[] {
    return readFileSync(join(this.data, 'pids'), 'utf8').split('\n').map((l) => l.split(' ')[0] ?? '').filter(Boolean);
  }

  kill(name: string): void {
    const pid = this.pid(name);
    if (pid <= 0) throw new Error(`no process ${name}: there are ${this.names().join(', ')}`);
    process.kill(pid, 'SIGKILL');
  }

  // What the supervisor said, and the end of each process' log.
  log(): string {
    let text = this.said;
    try {
      for (const file of readdirSync(join(this.data, 'log'))) {
        const lines = readFileSync(join(this.data, 'log', file), 'utf8').trimEnd().split('\n');
        text += `\n-- ${file}\n${lines.slice(-8).join('\n')}`;
      }
    } catch {
      // it never got as far as logs
    }
    return text;
  }

  // Resolves to false when it had to be killed or did not end in order.
  async stop(): Promise<boolean> {
    const { supervisor } = this;
    const ended = (): boolean => supervisor.exitCode !== null || supervisor.signalCode !== null;
    if (supervisor.pid !== undefined && !ended()) {
      supervisor.kill('SIGINT');
      for (const until = Date.now() + STOP_MS; !ended() && Date.now() < until;) await sleep(50);
      if (!ended()) supervisor.kill('SIGKILL');
    }
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    return supervisor.exitCode === 0;
  }
}
