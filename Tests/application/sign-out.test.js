// The copies on a device after a sign-out on a page of the server.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { countWaiting, deleteCopies } from '../../Sources/HabitPages/Application/sign-out/copies.js';
import { openDatabase } from '../../Sources/HabitPages/Application/store/database.js';
import { databaseName } from '../../Sources/HabitPages/Application/store/names.js';
import { FakeIndexedDB } from './fake-browser.js';

beforeEach(() => {
  globalThis.indexedDB = new FakeIndexedDB();
  const account = JSON.stringify({ id: 'ann', name: 'Ann', time_zone: 'UTC' });
  globalThis.localStorage = { getItem: () => account, setItem() {}, removeItem() {} };
});
afterEach(() => {
  delete globalThis.indexedDB;
  delete globalThis.localStorage;
});

test('a person without a copy gets a database that keeps entries after the question about them', async () => {
  // This browser does not list its databases, so that the one of the last person is opened.
  assert.equal(await countWaiting(), 0);
  const database = await openDatabase('ann');
  assert.equal(database.storage, 'kept');
});

test('the entries that wait are counted, and deleted with the copy', async () => {
  const database = await openDatabase('ann');
  await database.write([{ part: 'waiting', key: 'events/1', value: {} }]);
  assert.equal(await countWaiting(), 1);
  await deleteCopies();
  assert.deepEqual([...indexedDB.databases.keys()], []);
});

test('a sign-out deletes the copy of a database that could not be read', async () => {
  indexedDB.databases.set(databaseName('ann'), new Map());
  const database = await openDatabase('ann');
  assert.equal(database.storage, 'none');
  await database.destroy();
  assert.deepEqual([...indexedDB.databases.keys()], []);
});
