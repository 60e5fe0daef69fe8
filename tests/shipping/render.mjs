// SPDX-License-Identifier: Apache-2.0
//
// What the other files look at: manifests as kubectl renders them, the Dockerfile's targets, what a binary says of its
// settings.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const root = resolve(import.meta.dirname, '../..');
const bin = `${resolve(root, process.env.BUILD || 'build')}/bin`;

export const text = (file) => readFileSync(`${root}/${file}`, 'utf8');

function parseAll(yaml) {
  return parseAllDocuments(yaml, { merge: true }).map((document) => {
    if (document.errors.length) throw document.errors[0];
    return document.toJS();
  }).filter((object) => object !== null);
}

const rendered = new Map();
// A copy of its own for whoever asks.
export function render(overlay) {
  if (!rendered.has(overlay)) rendered.set(overlay, renderAnew(overlay));
  return structuredClone(rendered.get(overlay));
}

const renderAnew = (overlay) => renderFolder(`overlays/${overlay}`);

export function renderFolder(folder) {
  const run = spawnSync('kubectl', ['kustomize', `${root}/k8s/${folder}`], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`kubectl kustomize ${folder}: ${run.error?.message ?? run.stderr}`);
  return parseAll(run.stdout);
}

export const compose = (file = 'compose.yaml') => parse(text(`docker/${file}`), { merge: true });

// Target: its stage, with the user it runs as.
export function targets() {
  const found = {};
  for (const [, stage] of text('docker/Dockerfile').matchAll(/^FROM [^\n]* AS ([^\n]*\n(?:(?!FROM )[^\n]*\n)*)/gm)) {
    const name = stage.split('\n')[0];
    found[name] = { stage, user: [...stage.matchAll(/^USER (\S+)$/gm)].at(-1)?.[1] };
  }
  return found;
}

// The rules for alerts that Prometheus loads, group by group.
export function alertGroups() {
  return readdirSync(`${root}/docker/prometheus/rules`).filter((file) => file.endsWith('.yml')).sort()
    .flatMap((file) => parse(text(`docker/prometheus/rules/${file}`)).groups);
}

const helps = new Map();
export function settingsHelp(service) {
  if (!helps.has(service)) {
    const run = spawnSync(`${bin}/madang-${service}`, ['--help'], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`madang-${service} --help: ${run.error?.message ?? run.stderr}`);
    helps.set(service, run.stdout);
  }
  return helps.get(service);
}

// The variables that madang-<service> takes, by its own word.
export const settingsOf = (service) =>
  new Set([...settingsHelp(service).matchAll(/\((MADANG_[A-Z_]+)\)/g)].map(([, name]) => name));

// The variables that madangctl reads, by its manual.
export function variablesOfCtl() {
  const run = spawnSync(`${bin}/madangctl`, ['manual'], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`madangctl manual: ${run.error?.message ?? run.stderr}`);
  return new Set([...run.stdout.matchAll(/`(MADANG_[A-Z_]+)`/g)].map(([, name]) => name));
}

// What it says against this environment; '' when it takes it. It is asked as a probe, so that nothing is started.
export function refusal(service, environment) {
  const run = spawnSync(`${bin}/madang-${service}`, ['--probe'], { encoding: 'utf8', env: environment });
  return run.status === 2 ? run.stderr.split('\n')[0] : '';
}
