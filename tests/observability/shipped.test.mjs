// SPDX-License-Identifier: Apache-2.0
//
// Dashboards and rules as files: what Grafana and Prometheus would stumble over. Grafana itself is not here; what it asks
// of a dashboard is written down below.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { alertRows, eventRows, PAGE, rowsOf } from './page.mjs';
import { folder, promtool } from './prometheus.mjs';
import { dashboards, legendLabels, panels, selectors, shown } from './shipped.mjs';

const COLUMNS = 24;
const UNITS = ['short', 's', 'bytes', 'Bps', 'ops', 'percentunit'];
const rules = ['promises', 'saturation'].map((name) => readFileSync(`${folder}/rules/${name}.yml`, 'utf8')).join('\n');

test('promtool takes configuration and rules, and each alert is silent and fires when it should', () => {
  const config = promtool(['check', 'config', `${folder}/prometheus.yml`]);
  assert.equal(config.status, 0, config.said);
  const tested = promtool(['test', 'rules', `${folder}/rules_test.yml`]);
  assert.equal(tested.status, 0, tested.said);
});

test('each alert has a severity, a summary, what to do, and a unit test that fires it', () => {
  const tests = readFileSync(`${folder}/rules_test.yml`, 'utf8');
  const alerts = rules.split(/^ {6}- alert: /m).slice(1);
  assert.ok(alerts.length >= 20);
  for (const alert of alerts) {
    const name = alert.split('\n')[0];
    assert.match(alert, /labels: \{severity: (critical|warning|info)\}/, name);
    assert.match(alert, /summary: '.{10,}'/, name);
    assert.match(alert, /action: >-\n {12}.{30,}/, `${name} does not say what to do`);
    assert.match(tests, new RegExp(`alertname: ${name}\\n {8}exp_alerts:`), `${name} is never fired by a test`);
  }
});

test('the page lists every alert, and every event that may be logged with its fields', () => {
  const page = readFileSync(PAGE, 'utf8');
  assert.deepEqual(rowsOf(page, 'alerts'), alertRows());
  assert.deepEqual(rowsOf(page, 'events'), eventRows());
});

test('a dashboard has what Grafana needs, once', () => {
  const names = dashboards.map(({ name }) => name).sort();
  assert.deepEqual(names, ['games.json', 'overview.json', 'promises.json', 'saturation.json']);
  for (const { name, json } of dashboards) {
    for (const key of ['uid', 'title', 'description']) assert.ok(json[key], `${name}: ${key}`);
    assert.ok(json.schemaVersion >= 36 && Array.isArray(json.panels) && json.time.from, name);
    const ids = json.panels.map((panel) => panel.id);
    assert.equal(new Set(ids).size, ids.length, `${name}: panel ids`);
  }
  assert.equal(new Set(dashboards.map(({ json }) => json.uid)).size, dashboards.length);
});

test('each panel says what it shows, in which unit, from the provisioned data source', () => {
  const provisioned = readFileSync('docker/grafana/provisioning/datasources/prometheus.yml', 'utf8').match(/uid: (\S+)/)[1];
  for (const { dashboard, panel } of panels) {
    const where = `${dashboard}, "${panel.title}"`;
    assert.ok(panel.title, where);
    if (panel.type === 'row') continue;
    assert.ok(['timeseries', 'stat'].includes(panel.type), where);
    assert.match(panel.description, /\.$/, where);
    assert.ok(UNITS.includes(panel.fieldConfig.defaults.unit), `${where}: unit`);
    assert.ok(panel.targets.length, where);
    for (const of of [panel, ...panel.targets]) assert.deepEqual(of.datasource, { type: 'prometheus', uid: provisioned }, where);
    assert.equal(new Set(panel.targets.map((target) => target.refId)).size, panel.targets.length, `${where}: refIds`);
  }
});

test('panels lie inside the grid and beside each other', () => {
  for (const { name, json } of dashboards) {
    const taken = new Map();
    for (const { title, gridPos: { x, y, w, h } } of json.panels) {
      assert.ok(x >= 0 && w > 0 && h > 0 && x + w <= COLUMNS, `${name}, "${title}"`);
      for (let column = x; column < x + w; column++)
        for (let row = y; row < y + h; row++) {
          const cell = `${column},${row}`;
          assert.equal(taken.get(cell), undefined, `${name}: "${title}" lies over "${taken.get(cell)}"`);
          taken.set(cell, title);
        }
    }
  }
});

test('what seconds, bytes and counters are shown as fits their names', () => {
  for (const { dashboard, panel } of panels)
    for (const { expr } of panel.targets ?? []) {
      const where = `${dashboard}, "${panel.title}": ${expr}`;
      for (const selector of selectors(expr))
        if (/_total\b/.test(selector)) assert.match(expr, /(rate|increase)\(/, `${where}: a counter as it stands`);
      const { unit } = panel.fieldConfig.defaults;
      if (/_seconds(_bucket)?\b/.test(expr) && !/cpu_seconds/.test(expr)) assert.equal(unit, 's', where);
      if (/_bytes_total/.test(expr)) assert.equal(unit, 'Bps', where);
    }
});

test('Prometheus can read every expression, and its legend names labels that are left', () => {
  const list = shown.map(({ expr }, i) => `      - record: shown:${i}\n        expr: ${JSON.stringify(expr)}`);
  const written = mkdtempSync(join(tmpdir(), 'madang-shown-'));
  writeFileSync(`${written}/shown.yml`, `groups:\n  - name: shown\n    rules:\n${list.join('\n')}\n`);
  const checked = promtool(['check', 'rules', `${written}/shown.yml`]);
  rmSync(written, { recursive: true });
  assert.equal(checked.status, 0, checked.said);
  for (const { where, expr, legend } of shown) {
    const by = expr.match(/^(?:sum|count|max|min) by \(([^)]*)\)/)?.[1].split(', ');
    if (by) assert.deepEqual(legendLabels(legend).filter((label) => !by.includes(label)), [], where);
    if (by) assert.deepEqual(by.filter((label) => !legendLabels(legend).includes(label)), [], `${where}: lines without a name`);
  }
});
