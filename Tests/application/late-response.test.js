// Responses that arrive late: after another edit, after another tab or device, after midnight, and after a suspension.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { Copy } from '../../Sources/HabitPages/Application/store/copy.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests } from '../../Sources/HabitPages/Application/store/requests.js';
import { operationsOf } from '../../Sources/HabitPages/Application/store/results.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { SmallServer } from './small-server.js';

const NOON = '2026-11-20T12:00:00Z';
const DAY = '2026-11-18';

let database;
let server;
let time;
beforeEach(() => {
  database = new MemoryDatabase();
  server = new SmallServer('ann');
  time = Date.parse(NOON);
});

/** Returns a client whose clock the test sets. */
function clientOf() {
  const requests = new Requests(new URL('http://localhost/'), (address, options) => server.send(address, options));
  const surroundings = { database, requests, now: () => time, holdsDeletions: false, exclusively: inTurn, tell() {} };
  return new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
}

/** Returns an event as the database has it. */
function stored(id, version, fields) {
  const values = { id, user: 'ann', habit: 'walk', day: DAY, outcome: 'done', has_photo: false, geometry: null, ...fields };
  return { key: `events/${id}`, collection: 'events', id, version, fields: values };
}

async function store(...records) {
  await database.write(records.map(value => ({ part: 'records', key: value.key, value })));
}

test('another outcome of an event that is on its way is another event', async () => {
  const client = clientOf();
  const id = await client.save('events', null, { habit: 'walk', day: DAY });
  server.before = request => {
    if (request.startsWith('POST')) throw new TypeError('The response is lost.');
  };
  await assert.rejects(client.exchange());
  const skipped = await client.save('events', id, { outcome: 'skipped', comment: 'ill' });
  assert.notEqual(skipped, id);
  server.before = () => {};
  await client.exchange();
  const actions = event => {
    const changes = server.sent.get('ann').filter(({ id: deleted, feature }) => event === (deleted ?? feature.id));
    return changes.map(({ action }) => action);
  };
  assert.deepEqual(actions(id), ['put', 'delete']);
  assert.deepEqual(actions(skipped), ['put']);
  assert.equal(client.copy.waiting.size, 0);
  const [event] = client.copy.list('events');
  assert.deepEqual([event.id, event.properties.outcome, event.properties.comment], [skipped, 'skipped', 'ill']);
});

test('a result that another tab has received before changes nothing', async () => {
  const client = clientOf();
  await store(stored('e', 'v3', { comment: 'other device' }));
  await client.copy.load();
  const sent = { action: 'put', fields: { comment: 'mine' }, version: 'v1' };
  const entry = { key: 'events/e', collection: 'events', id: 'e', changes: { comment: 'mine' }, base: null };
  client.copy.waiting.set(entry.key, entry);
  assert.deepEqual(operationsOf(client.copy, entry.key, sent, { result: 'updated', version: 'v2' }), []);
});

test('a result does not replace a newer record', async () => {
  const client = clientOf();
  await store(stored('e', 'v3', { comment: 'other device' }));
  await client.copy.load();
  const sending = { action: 'put', fields: { comment: 'mine' }, version: 'v1' };
  const base = { fields: stored('e', 'v1').fields, version: 'v1' };
  client.copy.waiting.set('events/e', {
    key: 'events/e', collection: 'events', id: 'e', changes: { comment: 'mine' }, base, sending,
  });
  const operations = operationsOf(client.copy, 'events/e', sending, { result: 'updated', version: 'v2' });
  const record = operations.find(({ part }) => part === 'records');
  assert.equal(record.value.version, 'v3');
});

test('an edit of an event stays if another event of its day is merged with it', async () => {
  const theirs = stored('x', 'v1', { comment: 'theirs' });
  await store(theirs);
  const mine = {
    key: 'events/y', collection: 'events', id: 'y', order: 1, enteredAt: '', revision: 'r', removed: false, base: null,
    changes: { habit: 'walk', day: DAY, outcome: 'done', comment: 'mine', amount: 2 },
    problem: { kind: 'conflict', theirs: theirs.fields, fields: ['comment'], slug: 'event-exists', other: 'events/x' },
  };
  await database.write([{ part: 'waiting', key: mine.key, value: mine }]);
  const client = clientOf();
  await client.copy.load();
  const geometry = { type: 'Point', coordinates: [1, 2] };
  await client.save('events', 'x', { geometry });
  await client.save('events', 'y', { comment: 'theirs' });
  assert.deepEqual(client.copy.waiting.get('events/x').changes.geometry, geometry);
  assert.equal(client.copy.waiting.get('events/y').changes.amount, 2);
});

test('a response of yesterday that arrives after midnight does not change the day', async () => {
  time = Date.parse('2026-11-20T23:59:40Z');
  const { send } = server;
  server.send = async (address, options) => {
    const response = await send(address, options);
    if (new URL(address).pathname === '/days') time = Date.parse('2026-11-21T00:01:10Z');
    return response;
  };
  const client = clientOf();
  await client.exchange();
  time = Date.parse('2026-11-21T14:00:00Z');
  assert.equal(client.days.today, '2026-11-21');
  assert.ok(client.days.isClockRight);
});

test('a tab that is suspended while it reads then has the newest records', async () => {
  await store(stored('e', 'v1', { comment: 'old' }));
  const write = (token, record) => database.write([
    { part: 'meta', key: 'token', value: token }, ...record ? [{ part: 'records', key: record.key, value: record }] : [],
  ]);
  await write('t1');
  let resume = () => {};
  let isSuspended = false;
  const all = async part => {
    const values = await database.all(part);
    if (isSuspended && part === 'records') await new Promise(resolve => { resume = resolve; });
    return values;
  };
  const bound = { all, get: (part, key) => database.get(part, key), write: operations => database.write(operations) };
  const copy = new Copy({ database: bound, now: () => time, exclusively: work => work(), tell() {} }, 'ann');
  await copy.load();
  await write('t2');
  isSuspended = true;
  const change = copy.change(() => []);
  await new Promise(setImmediate);
  // Another tab takes the turn, and receives a newer record.
  await write('t3', stored('e', 'v2', { comment: 'new' }));
  isSuspended = false;
  time += 40_000;
  resume();
  await change;
  assert.equal(copy.find('events', 'e').properties.comment, 'new');
});
