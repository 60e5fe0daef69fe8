// SPDX-License-Identifier: Apache-2.0
//
// Writes k8s/overlays/prod/rules.yaml from docker/prometheus/rules: the same alerts, as the Prometheus operator takes
// them (npm run alerts).
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { alertGroups, root } from './render.mjs';

const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'madang', labels: { 'app.kubernetes.io/part-of': 'madang' } },
  spec: { groups: alertGroups() },
};
const head = '# SPDX-License-Identifier: Apache-2.0\n#\n' +
  '# Made from docker/prometheus/rules by `npm --prefix tests/shipping run alerts`; not edited by hand.\n';
writeFileSync(`${root}/k8s/overlays/prod/rules.yaml`, head + stringify(rule, { lineWidth: 110 }));
