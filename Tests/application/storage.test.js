// Devices that run out of space, or that store nothing, and a browser in which another person signs in.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { findAccount } from '../../Sources/HabitPages/Application/store/account.js';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { openDatabase } from '../../Sources/HabitPages/Application/store/database.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { OverflowDatabase } from '../../Sources/HabitPages/Application/store/overflow.js';
import {
  noteSignIn, rememberAccount, rememberedAccount,
} from '../../Sources/HabitPages/Application/store/remembered-account.js';
import { Failure, Requests, SignedOut, Unreachable } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { FakeIndexedDB, FakeStorage } from './fake-browser.js';
import { SmallServer } from './small-server.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const ANN = { id: 'ann', name: 'Ann', time_zone: 'UTC' };
const BEN = { id: 'ben', name: 'Ben', time_zone: 'UTC' };
const ENTRY = { habit: 'walk', day: '2026-11-20', outcome: 'done' };

beforeEach(() => { globalThis.navigator = { cookieEnabled: true }; });
afterEach(() => {
  delete globalThis.localStorage;
  delete globalThis.indexedDB;
  delete globalThis.navigator;
});

/** A database that has space for a number of values. */
class SmallDatabase extends MemoryDatabase {
  storage = 'kept';

  constructor(space) {
    super();
    this.space = space;
  }

  async write(operations) {
    const added = operations.filter(({ value }) => value !== undefined).length;
    if (added > this.space) throw new DOMException('full', 'QuotaExceededError');
    await super.write(operations);
  }
}

/** Returns the client of a person, without tabs. */
function clientOf(server, person, database = new MemoryDatabase()) {
  const requests = new Requests(new URL('http://localhost/'), server.send);
  requests.person = person;
  const surroundings = {
    database, requests, now: () => NOON, holdsDeletions: false, exclusively: inTurn, tell() {},
  };
  return new Client(surroundings, { id: person, name: person, time_zone: 'UTC' });
}

test('nothing is sent for a person who signs in between two requests of an exchange', async () => {
  const server = new SmallServer('ann');
  const client = clientOf(server, 'ann');
  await client.save('events', null, ENTRY);
  server.before = request => { if (request === 'POST /changes') server.person = 'ben'; };
  await assert.rejects(client.exchange(), SignedOut);
  assert.deepEqual([...server.sent], []);
  assert.equal(client.copy.waiting.size, 1);
  server.person = 'ann';
  server.before = () => {};
  await client.exchange();
  assert.equal(server.sent.get('ann').length, 1);
  assert.equal(client.copy.waiting.size, 0);
});

test('the days of another person are not stored', async () => {
  const server = new SmallServer('ann');
  const client = clientOf(server, 'ann');
  server.before = request => { if (request === 'GET /days') server.person = 'ben'; };
  await assert.rejects(client.exchange(), SignedOut);
  assert.equal(client.copy.meta.get('days'), undefined);
});

test('a full device sends an entry that it cannot store', async () => {
  const server = new SmallServer('ann');
  let releases = 0;
  const database = new OverflowDatabase(new SmallDatabase(0), async () => { releases += 1; });
  const client = clientOf(server, 'ann', database);
  await client.save('events', null, ENTRY);
  assert.equal(client.storage, 'full');
  assert.equal(client.copy.list('events').length, 1);
  await client.exchange();
  assert.equal(server.sent.get('ann').length, 1);
  assert.equal(client.copy.waiting.size, 0);
  assert.equal(releases, 1);
});

test('a full device keeps the entries before the records of the server', async () => {
  const small = new SmallDatabase(1);
  const database = new OverflowDatabase(small, async () => {});
  await database.write([
    { part: 'records', key: 'r', value: 1 }, { part: 'meta', key: 'token', value: 't' },
    { part: 'waiting', key: 'w', value: 2 },
  ]);
  assert.equal(await small.get('waiting', 'w'), 2);
  assert.equal(await small.get('records', 'r'), undefined);
  assert.deepEqual([await database.get('records', 'r'), await database.get('meta', 'token')], [1, 't']);
});

test('a device that has space again stores everything', async () => {
  const small = new SmallDatabase(0);
  const database = new OverflowDatabase(small, async () => {});
  await database.write([{ part: 'records', key: 'b', value: 1 }]);
  small.space = 9;
  await database.write([{ part: 'records', key: 'a', value: 2 }]);
  assert.deepEqual([...await small.all('records')], [['a', 2], ['b', 1]]);
  assert.equal(database.storage, 'kept');
});

test('space that other data leaves is used immediately', async () => {
  const small = new SmallDatabase(0);
  const database = new OverflowDatabase(small, async () => { small.space = 9; });
  await database.write([{ part: 'waiting', key: 'w', value: 1 }]);
  assert.equal(await small.get('waiting', 'w'), 1);
  assert.equal(database.storage, 'kept');
});

test('an entry is kept in memory if a write fails before its transaction', async () => {
  globalThis.indexedDB = new FakeIndexedDB();
  const database = await openDatabase('ann');
  globalThis.indexedDB.writeError = 'QuotaExceededError';
  await database.write([{ part: 'waiting', key: 'w', value: 1 }]);
  assert.equal(database.storage, 'full');
  assert.equal(await database.get('waiting', 'w'), 1);
  globalThis.indexedDB.writeError = undefined;
  await database.write([]);
  assert.equal(database.storage, 'kept');
});

test('a device that loses its power keeps an entry', async () => {
  globalThis.indexedDB = new FakeIndexedDB();
  const database = await openDatabase('ann');
  await database.write([{ part: 'waiting', key: 'w', value: 1 }]);
  globalThis.indexedDB.losePower();
  const restarted = await openDatabase('ann');
  assert.equal(await restarted.get('waiting', 'w'), 1);
});

test('a browser that opens no database has one in memory', async () => {
  globalThis.indexedDB = { open() { throw new DOMException('denied', 'SecurityError'); } };
  const database = await openDatabase('ann');
  assert.equal(database.storage, 'none');
});

test('a browser that blocks the local storage opens the account of the server', async () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true, get() { throw new DOMException('denied', 'SecurityError'); },
  });
  const requests = new Requests(new URL('http://localhost/'), async () => Response.json(ANN));
  const { account } = await findAccount(requests);
  assert.equal(account.id, 'ann');
});

for (const [status, expected] of [[401, 'sign-in'], [403, 'sign-in'], [500, 'problem']]) {
  test(`on a new device, the status ${status} leads to the ${expected}`, async () => {
    const requests = new Requests(new URL('http://localhost/'), async () => new Response('{}', { status }));
    if (expected === 'problem') await assert.rejects(findAccount(requests), Failure);
    else assert.equal(await findAccount(requests), null);
  });
}

const unreachable = new Requests(new URL('http://localhost/'), async () => { throw new TypeError('no connection'); });

test('a server that sends nothing for five seconds does not delay the person of the device', async t => {
  globalThis.localStorage = new FakeStorage();
  rememberAccount(ANN);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const found = findAccount(new Requests(new URL('http://localhost/'), () => new Promise(() => {})));
  t.mock.timers.tick(5_000);
  assert.deepEqual(await found, { account: ANN, online: false, signedIn: true });
});

test('after the sign-in was open, a slow server names the person before a copy opens', async t => {
  globalThis.localStorage = new FakeStorage();
  rememberAccount(ANN);
  noteSignIn();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let respond;
  const response = new Promise(resolve => { respond = resolve; });
  const found = findAccount(new Requests(new URL('http://localhost/'), () => response));
  t.mock.timers.tick(20_000);
  respond(Response.json(BEN));
  assert.equal((await found).account.id, 'ben');
  assert.equal(rememberedAccount().id, 'ben');
  // The server has named the person, so the next start needs no connection.
  assert.equal((await findAccount(unreachable)).account.id, 'ben');
});

test('after the sign-in was open, a device without a connection opens no copy', async () => {
  globalThis.localStorage = new FakeStorage();
  rememberAccount(ANN);
  noteSignIn();
  // Another tab of the last person still exchanges changes.
  rememberAccount(ANN);
  await assert.rejects(findAccount(unreachable), Unreachable);
});

test('a person who leaves the sign-in without a session sees the own copy', async () => {
  globalThis.localStorage = new FakeStorage();
  rememberAccount(ANN);
  noteSignIn();
  const requests = new Requests(new URL('http://localhost/'), async () => new Response('{}', { status: 401 }));
  const found = await findAccount(requests);
  assert.deepEqual(found, { account: ANN, online: true, signedIn: false });
});

test('the sign-in of a new device stores nothing', () => {
  globalThis.localStorage = new FakeStorage();
  noteSignIn();
  assert.equal(localStorage.length, 0);
});

test('a browser without cookies gets no sign-in, which would lead back without a session', async () => {
  globalThis.navigator = { cookieEnabled: false };
  const requests = new Requests(new URL('http://localhost/'), async () => new Response('{}', { status: 401 }));
  await assert.rejects(findAccount(requests));
});

test('a database whose connection the browser has closed is opened again', async () => {
  globalThis.indexedDB = new FakeIndexedDB();
  const database = await openDatabase('ann');
  await database.write([{ part: 'waiting', key: 'a', value: 1 }]);
  globalThis.indexedDB.closeConnections();
  assert.equal(await database.get('waiting', 'a'), 1);
  globalThis.indexedDB.closeConnections();
  await Promise.all(['b', 'c'].map(key => database.write([{ part: 'waiting', key, value: 2 }])));
  assert.deepEqual([...(await database.all('waiting')).keys()], ['a', 'b', 'c']);
});

test('a database that another tab has deleted is not created again', async () => {
  globalThis.indexedDB = new FakeIndexedDB();
  const database = await openDatabase('ann');
  globalThis.indexedDB.databases.clear();
  globalThis.indexedDB.closeConnections();
  await assert.rejects(database.all('waiting'), { name: 'AbortError' });
  assert.equal(globalThis.indexedDB.databases.size, 0);
});

test('a suspended tab with an open database does not prevent the sign-out', async t => {
  globalThis.indexedDB = new FakeIndexedDB();
  const database = await openDatabase('ann');
  globalThis.indexedDB.isOpenElsewhere = true;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const end = database.destroy();
  t.mock.timers.tick(8_000);
  await end;
});
