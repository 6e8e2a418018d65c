// A tab and the service worker that exchange changes at the same time, with one database.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { SmallServer } from './small-server.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const ENTRY = { habit: 'walk', day: '2026-11-20', outcome: 'done' };

let database;
let server;
beforeEach(() => {
  database = new MemoryDatabase();
  server = new SmallServer('ann');
});

/**
 * Returns a client that hears nothing of the other one.
 * @param {() => Promise<void>} [between] happens once, between a response with changes and its arrival
 */
async function writer(between = async () => {}) {
  let next = between;
  const send = async (address, options) => {
    const response = await server.send(address, options);
    if (new URL(address).pathname !== '/changes') return response;
    const call = next;
    next = async () => {};
    await call();
    return response;
  };
  const requests = new Requests(new URL('http://localhost/'), send);
  const surroundings = { database, requests, now: () => NOON, holdsDeletions: true, exclusively: inTurn, tell() {} };
  const client = new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
  await client.copy.load();
  return client;
}

test('a deletion remains if another writer does not know the new record', async () => {
  const tab = await writer();
  const worker = await writer(async () => {
    const event = await tab.save('events', null, ENTRY);
    await tab.exchange();
    await tab.remove('events', event);
  });
  await worker.exchange();
  const [deletion] = (await database.all('waiting')).values();
  assert.equal(deletion?.removed, true);
});

test('a response that arrives late does not replace newer records', async () => {
  const titled = title => [{ action: 'put', collection: 'habits', version: title,
    feature: { id: 'walk', geometry: null, properties: { user: 'ann', title } } }];
  const pages = [
    { changes: titled('old'), more: false, token: 'first' },
    { changes: titled('new'), more: false, token: 'second' },
    { changes: [], more: false, token: 'third' },
  ];
  const { send } = server;
  server.send = async (address, options) => {
    const isChanges = new URL(address).pathname === '/changes';
    return isChanges ? Response.json(pages.shift()) : send(address, options);
  };
  const tab = await writer();
  const worker = await writer(() => tab.exchange());
  await worker.exchange();
  assert.equal((await database.get('records', 'habits/walk')).fields.title, 'new');
  assert.equal(await database.get('meta', 'token'), 'third');
});
