#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// The tables in docker/prometheus/README.md: every metric that the running services serve, every alert, every event of
// the logs. The tests hold the page against them; `node tests/observability/page.mjs` writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { Cluster } from './cluster.mjs';

export const PAGE = 'docker/prometheus/README.md';
const PROGRAMS = ['gateway', 'matchmaker', 'worker', 'timer'];

// [{ name, type, help, labels }] of the text that a service serves.
export function metricsOf(text) {
  const metrics = [];
  for (const [, name, help, type, values] of text.matchAll(/# HELP (\S+) (.*)\n# TYPE \S+ (\w+)\n((?:[^#].*\n)*)/g)) {
    const labels = [...(values.match(/\{(.*)\}/)?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, label]) => label);
    metrics.push({ name, type, help, labels: labels.filter((label) => label !== 'le') });
  }
  return metrics;
}

// [{ name, programs, level, fields, text }] of libs/ops/log_events.h.
export function eventsOf(header) {
  const lines = header.matchAll(/X\(PROGRAM_(\w+), "([^"]+)", (\w+), "(\w*)", "(\w*)", "(\w*)"\)/g);
  return [...lines].map(([, program, name, level, ...names]) => ({
    name,
    programs: program === 'ALL' ? PROGRAMS : [program.toLowerCase()],
    level: level.toLowerCase(),
    fields: names.filter((field) => field !== '' && field !== 'text'),
    text: names.includes('text'),
  }));
}

const among = (programs) => (programs.length === PROGRAMS.length ? 'all' : programs.join(', '));
const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

// served: [{ job, text }].
export function metricRows(served) {
  const all = new Map();
  for (const { job, text } of served)
    for (const metric of metricsOf(text)) {
      const known = all.get(metric.name) ?? { ...metric, jobs: new Set() };
      known.jobs.add(job);
      all.set(metric.name, known);
    }
  return [...all.values()].map(({ name, type, help, labels, jobs }) => {
    const by = labels.length ? ` by ${labels.map((label) => `\`${label}\``).join(', ')}` : '';
    return row(`\`${name}\``, type + by, among(PROGRAMS.filter((job) => jobs.has(job))), help);
  });
}

export function eventRows() {
  return eventsOf(readFileSync('libs/ops/log_events.h', 'utf8')).map(({ name, programs, level, fields, text }) =>
    row(`\`${name}\``, among(programs), level,
      [...fields, ...(text ? ['text'] : [])].map((field) => `\`${field}\``).join(', ')));
}

export function alertRows() {
  return ['promises', 'saturation'].flatMap((file) => {
    const rules = readFileSync(`docker/prometheus/rules/${file}.yml`, 'utf8').split(/^ {6}- alert: /m).slice(1);
    return rules.map((rule) => row(`\`${rule.split('\n')[0]}\``, rule.match(/severity: (\w+)/)[1],
      rule.match(/action: >-\n((?: {12}.*\n)+)/)[1].trim().replaceAll(/\s+/g, ' ')));
  });
}

// The rows of the table that stands behind the marker.
export function rowsOf(page, table) {
  const behind = page.split(`<!-- ${table} -->\n`)[1] ?? '';
  return behind.split('\n\n')[0].trim().split('\n').slice(2);
}

function withRows(page, table, rows) {
  const [before, behind] = page.split(`<!-- ${table} -->\n`);
  const [old, ...rest] = behind.split('\n\n');
  const [head, rule] = old.split('\n');
  return `${before}<!-- ${table} -->\n${[head, rule, ...rows].join('\n')}\n\n${rest.join('\n\n')}`;
}

async function write() {
  const cluster = new Cluster();
  try {
    await cluster.start();
    const served = [];
    for (const process of cluster.services()) served.push({ job: process.job, text: await cluster.metrics(process) });
    let page = readFileSync(PAGE, 'utf8');
    for (const [table, rows] of [['metrics', metricRows(served)], ['alerts', alertRows()], ['events', eventRows()]])
      page = withRows(page, table, rows);
    writeFileSync(PAGE, page);
  } finally {
    await cluster.stop();
  }
}

if (process.argv[1] === import.meta.filename) await write();
