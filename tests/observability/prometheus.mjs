// SPDX-License-Identifier: Apache-2.0
//
// The real Prometheus, with docker/prometheus/prometheus.yml as it is but for where the services are.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort, get, wait } from './cluster.mjs';

export const folder = 'docker/prometheus';

// What promtool says of it; status 0 is well.
export function promtool(argv, input) {
  const { status, stdout, stderr } = spawnSync('promtool', argv, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

// Single metrics are asked for once a second, and what the cluster is called in compose becomes its ports here.
export function localConfig(text, ports) {
  return text
    .replaceAll(/(scrape|evaluation)_interval: \d+s/g, '$1_interval: 1s')
    .replaceAll(/scrape_timeout: \d+s/g, 'scrape_timeout: 1s')
    .replaceAll('rules/*.yml', `${resolve(folder)}/rules/*.yml`)
    .replaceAll(/dns_sd_configs: \[\{names: \[(\w+)\],[^\]]*\]/g, (_, job) =>
      `static_configs: [{targets: [${ports(job).map((port) => `"127.0.0.1:${port}"`).join(', ')}]}]`);
}

export class Prometheus {
  folder = mkdtempSync(join(tmpdir(), 'madang-prometheus-'));

  async start(ports) {
    this.port = await freePort();
    const config = join(this.folder, 'prometheus.yml');
    writeFileSync(config, localConfig(readFileSync(`${folder}/prometheus.yml`, 'utf8'), ports));
    this.child = spawn('prometheus', [`--config.file=${config}`, `--storage.tsdb.path=${this.folder}/data`,
      `--web.listen-address=127.0.0.1:${this.port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.said = '';
    this.child.stderr.on('data', (bytes) => { this.said += bytes; });
    this.gone = new Promise((done) => { this.child.on('close', done).on('error', done); });
    await wait('Prometheus', async () => (await get(this.port, '/-/ready')).status === 200);
  }

  async api(path, parameters = {}) {
    const answer = await get(this.port, `/api/v1/${path}?${new URLSearchParams(parameters)}`);
    return JSON.parse(answer.text || '{"status":"error","error":"no answer"}');
  }

  // The series that an expression gives now; throws when it is none.
  async query(query) {
    const answer = await this.api('query', { query });
    if (answer.status !== 'success') throw new Error(`${query}: ${answer.error}`);
    return answer.data.result;
  }

  async stop() {
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.gone;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
