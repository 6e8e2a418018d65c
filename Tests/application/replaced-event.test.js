// Two saves that replace one event while the photo of the event is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const FIELDS = {
  id: 'skipped', user: 'ann', habit: 'walk', day: '2026-11-18', outcome: 'skipped', has_photo: true, geometry: null,
};

test('a second save of an event that was replaced in between changes its replacement', async () => {
  const database = new MemoryDatabase();
  const record = { key: 'events/skipped', collection: 'events', id: 'skipped', version: '1', fields: FIELDS };
  await database.write([{ part: 'records', key: record.key, value: record }]);
  const requests = new Requests(new URL('http://localhost/'), async () => new Response('photo'));
  const surroundings = {
    database, requests, now: () => NOON, holdsDeletions: false, exclusively: inTurn, tell() {},
  };
  const client = new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
  await client.copy.load();
  const [first, second] = await Promise.all([
    client.save('events', 'skipped', { outcome: 'done' }),
    client.save('events', 'skipped', { outcome: 'done', comment: 'second' }),
  ]);
  assert.equal(first, second);
  const [event, ...others] = client.copy.list('events');
  assert.deepEqual(others, []);
  const { outcome, comment, has_photo } = event.properties;
  assert.deepEqual({ outcome, comment, has_photo }, { outcome: 'done', comment: 'second', has_photo: true });
});
