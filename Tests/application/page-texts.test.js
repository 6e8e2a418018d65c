// The texts of the scripts of pages: each is in one module, every text is used, and plurals have their forms.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { texts } from '../../Sources/HabitPages/Web/texts.js';
import { visibleTexts } from './visible-texts.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../Sources/HabitPages/Web');

/** Returns the scripts of pages without their texts. */
function scripts() {
  const files = readdirSync(folder).filter(file => file.endsWith('.js') && file !== 'texts.js');
  return files.map(file => ({ file, code: readFileSync(join(folder, file), 'utf8') }));
}

/** Returns the keys of the texts that a script shows. */
function usedKeys({ code }) {
  return [...code.matchAll(/\btexts\.(\w+)/g)].map(match => match[1]);
}

test('every text of the pages is used', () => {
  const used = new Set(scripts().flatMap(usedKeys));
  const keys = Object.keys(texts);
  assert.ok(keys.length > 50);
  assert.deepEqual(keys.filter(key => !used.has(key)), []);
});

test('every text that a page uses exists', () => {
  const missing = scripts().flatMap(script =>
    usedKeys(script).filter(key => key !== 'js' && !(key in texts)).map(key => `${script.file}: ${key}`));
  assert.deepEqual(missing, []);
});

test('a text with a value is a function that the page calls', () => {
  const wrong = [];
  for (const { file, code } of scripts()) {
    for (const [, key, next] of code.matchAll(/\btexts\.(\w+)(\(?)/g)) {
      if (key !== 'js' && (typeof texts[key] === 'function') !== (next === '(')) wrong.push(`${file}: ${key}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the scripts of pages contain no text of their own', () => {
  const found = scripts().flatMap(({ file, code }) => visibleTexts(code).map(text => `${file}: ${text}`));
  assert.deepEqual(found, []);
});

test('a text of a script is found', () => {
  assert.deepEqual(visibleTexts("say('Sign in to see your history.'); // A 'comment in quotes'"),
    ['Sign in to see your history.']);
  assert.deepEqual(visibleTexts("label = 'Close';"), ['Close']);
  assert.deepEqual(visibleTexts('`${distance} away`'), ['away']);
  assert.deepEqual(visibleTexts('`${isNew ? `posted ${day}` : day}`'), ['posted']);
  assert.deepEqual(visibleTexts("element('p', { class: 'popup who' })"), []);
  assert.deepEqual(visibleTexts('`collections/${id}/items`'), []);
});

test('a plural of the pages has its form', () => {
  assert.equal(texts.itemCount(1), '1 item');
  assert.equal(texts.itemCount(2040), '2,040 items');
  assert.equal(texts.cluster(1), '1 marker: zoom in');
  assert.equal(texts.calendarCaption(13), '13 weeks, one column per week, Monday first');
});
