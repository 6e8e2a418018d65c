// The keys that open views, in a browser that is simulated.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { probe } from './hooks.js';

const { useShortcuts } = await import('../../Sources/HabitPages/Application/shell/shortcuts.js');

/** The functions that hear the keys. @type {Set<(event: object) => void>} */
let listeners;
/** The addresses of the views that were opened. */
let opened;
beforeEach(() => {
  listeners = new Set();
  opened = [];
  Object.assign(globalThis, {
    Element: class {},
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
    dispatchEvent() {},
    document: { querySelector: () => null },
    history: { pushState: (state, title, address) => opened.push(address.split('/').pop()) },
    localStorage: { getItem: () => null, setItem() {}, removeItem() {} },
  });
});
afterEach(() => {
  for (const name of ['Element', 'addEventListener', 'removeEventListener', 'dispatchEvent']) delete globalThis[name];
  for (const name of ['document', 'history', 'localStorage']) delete globalThis[name];
});

/** Presses a key at a time in milliseconds. */
function press(key, timeStamp) {
  for (const listener of listeners) listener({ key, timeStamp, target: null, preventDefault() {} });
}

test('two keys open a view as soon as the page is rendered', () => {
  probe(useShortcuts)({ onHelp() {} });
  press('g', 0);
  press('h', 1400);
  assert.deepEqual(opened, ['habits']);
});

test('settings of the server that arrive between two keys do not end the shortcut', () => {
  const render = probe(useShortcuts);
  render({ onHelp() {} });
  press('g', 0);
  render({ onHelp() {}, sections: ['habits'] });
  press('h', 100);
  assert.deepEqual(opened, ['habits']);
});

test('a view of a section that the server lacks does not open', () => {
  const render = probe(useShortcuts);
  render({ onHelp() {} });
  render({ onHelp() {}, sections: ['items'] });
  press('g', 0);
  press('h', 100);
  assert.deepEqual(opened, []);
});

test('a second key that is late, or that no view has, opens nothing', () => {
  probe(useShortcuts)({ onHelp() {} });
  press('g', 0);
  press('h', 1600);
  press('g', 2000);
  press('q', 2100);
  press('h', 2200);
  assert.deepEqual(opened, []);
});

test('the last function shows the help', () => {
  const shown = [];
  const render = probe(useShortcuts);
  render({ onHelp: () => shown.push('first') });
  render({ onHelp: () => shown.push('last') });
  press('?', 0);
  assert.deepEqual(shown, ['last']);
});
