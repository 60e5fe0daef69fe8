// SPDX-License-Identifier: Apache-2.0
//
// The overlays as they are: valid against the published schemas, and by our own rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { named, environment, podOf } from './cluster.mjs';
import { render, renderFolder, text } from './render.mjs';
import * as rules from './rules.mjs';
import { faults } from './schema.mjs';

// The Secrets that an operator makes; k8s/README.md says how.
const outside = ['madang-keys', 'madang-redis', 'madang-services', 'madang-tls'];
const { resilience, monitoring, encrypted, ...always } = rules;

const lasting = ['prod', 'two-shards/told', 'two-shards/open'];
for (const overlay of ['dev', ...lasting]) {
  const objects = render(overlay);
  test(`${overlay}: every object is valid by its published schema, without a field that this does not know`, async () => {
    assert.ok(objects.length > 15);
    assert.deepEqual((await Promise.all(objects.map(faults))).flat(), []);
  });
  for (const [name, rule] of Object.entries(always))
    test(`${overlay}: ${name}`, () => {
      assert.deepEqual(rule(objects, name === 'references' && overlay !== 'dev' ? { outside } : undefined), []);
    });
}

for (const overlay of lasting)
  for (const [name, rule] of Object.entries({ resilience, monitoring, encrypted }))
    test(`${overlay}: ${name}`, () => assert.deepEqual(rule(render(overlay)), []));

// So that one goes to the other while people play: whatever prod has stays as it is, but for what names the shards.
test('two-shards: is prod with a second shard, which everybody is told of before rooms are made there', () => {
  const prod = render('prod'), second = renderFolder('overlays/two-shards/second');
  const told = render('two-shards/told'), open = render('two-shards/open');
  const key = ({ kind, metadata }) => `${kind} ${metadata.name.replace(/^store-[0-9a-z]{10}$/, 'store')}`;
  const keys = (objects) => objects.map(key).sort();
  assert.deepEqual(keys(told), [...keys(prod), ...keys(second)].sort());
  assert.ok(second.every(({ metadata }) => metadata.name.startsWith('shard1-')));
  const redis = (objects) => objects.filter(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'redis');
  assert.deepEqual(redis(told), redis(prod));
  const differ = told.filter((object, i) => !isDeepStrictEqual(object, open[i]));
  assert.deepEqual(keys(differ), ['StatefulSet matchmaker']);
  const openOf = (objects) =>
    environment(objects, podOf(named(objects, 'StatefulSet', 'matchmaker')).containers[0]).MADANG_SHARDS_OPEN;
  assert.deepEqual([openOf(prod), openOf(told), openOf(open)], [undefined, '1', '2']);
});

test('prod: how each Secret from outside is made is written down', () => {
  for (const secret of outside) assert.match(text('k8s/README.md'), new RegExp(`create secret [a-z]+ ${secret}\\b`));
});

test('certificates: what cert-manager makes is what services of prod are told to read', async () => {
  const objects = renderFolder('certificates');
  assert.deepEqual((await Promise.all(objects.map(faults))).flat(), []);
  const { spec } = named(objects, 'Certificate', 'services'), prod = render('prod');
  const worker = named(prod, 'StatefulSet', 'worker');
  assert.equal(podOf(worker).volumes.find(({ name }) => name === 'services').secret.secretName, spec.secretName);
  const told = environment(prod, podOf(worker).containers[0]);
  assert.equal(told.MADANG_TLS_CA, '/run/secrets/services/ca.crt');
  assert.equal(told.MADANG_TLS_IDENTITY, '/run/secrets/services/tls-combined.pem');
  assert.deepEqual(spec.additionalOutputFormats, [{ type: 'CombinedPEM' }]);
  assert.deepEqual([spec.commonName, ...spec.dnsNames], ['madang', 'madang']);
});
