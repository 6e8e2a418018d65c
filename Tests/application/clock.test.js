// Today on a device whose clock differs from the clock of the server. On the server, today is 2026-11-20.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { SmallServer } from './small-server.js';

/** Returns the days of a device after an exchange. */
async function daysAt(time) {
  const requests = new Requests(new URL('http://localhost/'), new SmallServer('ann').send);
  const now = () => Date.parse(time);
  const surroundings = {
    database: new MemoryDatabase(), requests, now, holdsDeletions: false, exclusively: inTurn, tell() {},
  };
  const client = new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
  await client.exchange();
  return client.days;
}

const CASES = [
  ['an exchange a moment after midnight', '2026-11-21T00:00:05Z', '2026-11-21', true],
  ['an exchange a moment before midnight', '2026-11-19T23:59:55Z', '2026-11-19', true],
  ['a clock that is five minutes ahead', '2026-11-21T00:05:00Z', '2026-11-20', false],
  ['a clock that is ten days late', '2026-11-10T12:00:00Z', '2026-11-20', false],
];
for (const [name, time, today, isRight] of CASES) {
  test(`${name} leads to the day ${today}`, async () => {
    const days = await daysAt(time);
    assert.equal(days.today, today);
    assert.equal(days.isClockRight, isRight);
  });
}
