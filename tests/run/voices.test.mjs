// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Voices } from '../../.ci/voices.mjs';

function heard() {
  const lines = [];
  return { lines, voices: new Voices((line) => lines.push(line)) };
}

test('who spoke first goes on, the next one when it has ended', () => {
  const { lines, voices } = heard();
  const one = voices.open(), two = voices.open();
  one.say('one: a');
  two.say('two: a');
  assert.deepEqual(lines, ['one: a']);
  two.say('two: b');
  one.say('one: b');
  one.end();
  assert.deepEqual(lines, ['one: a', 'one: b', 'two: a', 'two: b']);
  two.say('two: c');
  assert.equal(lines.at(-1), 'two: c');
});

test('who has said nothing keeps nobody waiting', () => {
  const { lines, voices } = heard();
  const silent = voices.open(), other = voices.open();
  other.say('other');
  assert.deepEqual(lines, ['other']);
  silent.end();
  other.end();
  assert.deepEqual(lines, ['other']);
});

test('nothing is lost of those that ended while others spoke', () => {
  const { lines, voices } = heard();
  const one = voices.open(), two = voices.open(), three = voices.open();
  one.say('one');
  for (const [name, voice] of Object.entries({ three, two })) {
    voice.say(name);
    voice.end();
  }
  one.end();
  assert.deepEqual(lines, ['one', 'three', 'two']);
  const four = voices.open();
  four.say('four');
  assert.equal(lines.at(-1), 'four');
});
