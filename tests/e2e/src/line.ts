// SPDX-License-Identifier: Apache-2.0
//
// A telephone line that can be cut: a TCP relay before the cluster's port. What is cut stays cut, for new connections
// too, until it is mended.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Line {
  private readonly ends = new Set<Socket>();
  private whole = true;
  private constructor(private readonly server: Server) {}

  static lay(to: number): Promise<Line> {
    return new Promise((done, fail) => {
      const server = createServer((near) => {
        if (!line.whole) {
          near.destroy();
          return;
        }
        const far = connect(to, '127.0.0.1');
        for (const [end, other] of [[near, far], [far, near]] as const) {
          line.ends.add(end);
          end.pipe(other);
          end.on('error', () => other.destroy());
          end.on('close', () => {
            line.ends.delete(end);
            other.destroy();
          });
        }
      });
      const line = new Line(server);
      server.once('error', fail);
      server.listen(0, '127.0.0.1', () => done(line));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  cut(): void {
    this.whole = false;
    for (const end of this.ends) end.destroy();
  }
  mend(): void {
    this.whole = true;
  }
  remove(): void {
    this.cut();
    this.server.close();
  }
}
