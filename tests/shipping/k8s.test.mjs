// SPDX-License-Identifier: Apache-2.0
//
// The overlays as they are: valid against the published schemas, and by our own rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render, text } from './render.mjs';
import * as rules from './rules.mjs';
import { faults } from './schema.mjs';

// The Secrets that an operator makes; k8s/README.md says how.
const outside = ['madang-keys', 'madang-redis', 'madang-tls'];
const { resilience, monitoring, ...always } = rules;

for (const overlay of ['dev', 'prod']) {
  const objects = render(overlay);
  test(`${overlay}: every object is valid by its published schema, without a field that this does not know`, async () => {
    assert.ok(objects.length > 15);
    assert.deepEqual((await Promise.all(objects.map(faults))).flat(), []);
  });
  for (const [name, rule] of Object.entries(always))
    test(`${overlay}: ${name}`, () => {
      assert.deepEqual(rule(objects, name === 'references' && overlay === 'prod' ? { outside } : undefined), []);
    });
}

for (const [name, rule] of Object.entries({ resilience, monitoring }))
  test(`prod: ${name}`, () => assert.deepEqual(rule(render('prod')), []));

test('prod: how each Secret from outside is made is written down', () => {
  for (const secret of outside) assert.match(text('k8s/README.md'), new RegExp(`create secret [a-z]+ ${secret}\\b`));
});
