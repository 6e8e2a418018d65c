// The exchange of the tab that leads, with a client and other tabs that are simulated.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Connection } from '../../Sources/HabitPages/Application/store/connection.js';

const UNDO_TIME = 7_000;

/** Provides what the tab uses of a browser. */
function simulateBrowser() {
  globalThis.localStorage = { setItem() {} };
  globalThis.addEventListener = () => {};
  globalThis.document = { addEventListener() {} };
  globalThis.EventSource = class {
    addEventListener() {}
  };
}

test('a deletion of another tab is sent when it can no longer be undone', async () => {
  simulateBrowser();
  mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {Set<string>} */
  const released = new Set();
  const client = {
    account: { id: 'ann', name: 'Ann' },
    copy: { load: async () => {} },
    heldRevisions: new Set(),
    // The exchange reads what the other tab has stored.
    exchange: async () => void client.heldRevisions.add('deletion'),
    release: async held => held.forEach(revision => released.add(revision)),
  };
  const tabs = { listen() {}, tell() {}, waitForLead: lead => lead() };
  const requests = { address: path => path };
  const status = { online: true, signedIn: true, syncing: false };
  new Connection(client, tabs, requests, status, () => {}).start();
  await new Promise(setImmediate);
  mock.timers.tick(UNDO_TIME);
  assert.deepEqual([...released], ['deletion']);
});
