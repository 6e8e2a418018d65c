// The Background Sync of the service worker, in a browser and with a server that are simulated.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sendInBackground } from '../../Sources/HabitPages/Application/store/background.js';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { openDatabase } from '../../Sources/HabitPages/Application/store/database.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { root } from '../../Sources/HabitPages/Application/root.js';
import { FakeIndexedDB } from './fake-browser.js';
import { SmallServer } from './small-server.js';

const ENTRY = {
  key: 'events/1', collection: 'events', id: '1', order: 1, enteredAt: '2026-11-20T12:00:00Z', revision: '1',
  removed: false, changes: { habit: 'walk', day: '2026-11-20' }, base: null,
};

const { fetch } = globalThis;
let server;
beforeEach(async () => {
  globalThis.indexedDB = new FakeIndexedDB();
  globalThis.navigator = {};
  server = new SmallServer('ann');
  // The worker sends its requests below the folder of the sources.
  globalThis.fetch = (address, options) => server.send(address.replace(root.href, 'http://localhost/'), options);
  const database = await openDatabase('ann');
  await database.write([{ part: 'waiting', key: ENTRY.key, value: ENTRY }]);
});
afterEach(() => {
  globalThis.fetch = fetch;
  delete globalThis.indexedDB;
  delete globalThis.navigator;
});

test('the worker sends the entries that wait', async () => {
  await sendInBackground();
  assert.deepEqual(server.sent.get('ann').map(({ feature }) => feature.id), ['1']);
  const database = await openDatabase('ann');
  assert.equal((await database.all('waiting')).size, 0);
});

test('an entry that the worker has sent is visible after a restart without a connection', async () => {
  await sendInBackground();
  const database = await openDatabase('ann');
  const surroundings = {
    database, requests: {}, now: Date.now, holdsDeletions: true, exclusively: inTurn, tell() {},
  };
  const client = new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
  await client.copy.load();
  assert.deepEqual(client.copy.list('events').map(({ id, waiting }) => ({ id, waiting })), [
    { id: '1', waiting: undefined },
  ]);
});

test('a worker whose database cannot be read fails, so that the browser repeats it', async () => {
  globalThis.indexedDB.open = () => { throw new DOMException('locked', 'UnknownError'); };
  await assert.rejects(sendInBackground());
  assert.deepEqual([...server.sent], []);
});
