// SPDX-License-Identifier: Apache-2.0
//
// What docker/ ships for those who look: dashboards and alert rules, as the tests see them.
import { readFileSync, readdirSync } from 'node:fs';

export const dashboards = readdirSync('docker/grafana/dashboards').filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, json: JSON.parse(readFileSync(`docker/grafana/dashboards/${name}`, 'utf8')) }));

export const panels = dashboards.flatMap(({ name, json }) => json.panels.map((panel) => ({ dashboard: name, panel })));

export const shown = panels.flatMap(({ dashboard, panel }) => (panel.targets ?? []).map((target) => ({
  where: `${dashboard}, "${panel.title}", ${target.refId}`, expr: target.expr, legend: target.legendFormat,
})));

// The rules as Prometheus has read them: [{ name, query, duration, labels, annotations }].
export const rulesOf = (answer) => answer.data.groups.flatMap((group) => group.rules);

// The selectors in an expression, such as madang_queue_depth{queue="worker_rooms"}, without ranges.
export const selectors = (expr) => expr.match(/\b(?:madang|process)_\w+(?:\{[^}]*\})?|\bup(?:\{[^}]*\})?(?![\w(])/g) ?? [];

// The labels that a legend shows: {{job}}.
export const legendLabels = (legend) => [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label]) => label);
