import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dayOf, numberOf, weekdaysOf } from '../../Sources/HabitPages/Application/store/calendar.js';
import { computedDays } from '../../Sources/HabitPages/Application/store/days.js';
import { newID } from '../../Sources/HabitPages/Application/store/ids.js';
import { overlaid } from '../../Sources/HabitPages/Application/store/overlay.js';
import { Device } from './device.js';
import { PlainHabit } from './plain-days.js';
import { Random } from './random.js';
import { Server, TODAY } from './server.js';
import { randomEvents, randomHabit, randomPauses } from './random-habits.js';

const RANGE = { from: '2026-08-20', to: '2026-12-05', asOf: TODAY, today: TODAY };
const today = numberOf(TODAY);
/** A habit without days, as the server and the device describe it. */
const EMPTY = {
  id: 'h', title: 'Gym', unit: null, target_amount: null, status: 'New', streak: 0, completion_rate: null,
};

/** @type {Server} */
let server;
before(async () => { server = await Server.start(['alice', 'bruno', 'carla']); });
after(() => server.stop());

/** Returns a random habit, with its events and pauses. */
function randomKnown(random) {
  const habit = randomHabit(random, newID());
  const events = randomEvents(random, habit, newID);
  const pauses = randomPauses(random, habit.id, newID);
  return { habit, events, pauses };
}

test('the days of random habits agree with a plain model', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const known = randomKnown(new Random(seed));
    const plain = plainOf(known);
    const { days, streak, completion_rate } = computedDays(known, RANGE);
    const expected = plain.completionRate === null ? null : Math.round(plain.completionRate * 1e6) / 1e6;
    assert.deepEqual({ seed, streak, completion_rate }, { seed, streak: plain.streak, completion_rate: expected });
    const past = days.filter(({ day }) => day <= TODAY);
    for (const { day, due, outcome, progress } of past) {
      const number = numberOf(day);
      const done = progress && plain.doneBefore(number) + (plain.isDue(number) && plain.hasDoneEvent(number) ? 1 : 0);
      assert.deepEqual(
        { seed, day, due, outcome, done: progress?.done },
        { seed, day, due: plain.isToDo(number), outcome: plain.outcome(number), done },
      );
    }
    const shown = new Set(past.map(({ day }) => day));
    for (let number = numberOf(RANGE.from); number <= today; number += 1) {
      assert.ok(shown.has(dayOf(number)) || !plain.isToDo(number), `seed ${seed}: ${dayOf(number)} is due`);
    }
  }
});

function plainOf({ habit, events, pauses }) {
  const target = habit.times ? { times: habit.times, period: habit.period_days } : null;
  return new PlainHabit({
    weekdays: habit.days ? weekdaysOf(habit.days) : null,
    target,
    start: habit.start ? numberOf(habit.start) : undefined,
    end: habit.end ? numberOf(habit.end) : null,
    targetAmount: habit.target_amount,
    pauses: pauses.map(({ from, to }) => [numberOf(from), to ? numberOf(to) : Infinity]),
    events: new Map(events.map(event => [numberOf(event.day), event])),
  }, today);
}

for (const user of ['alice', 'bruno']) {
  test(`the days of random habits of ${user} agree with the server`, async () => {
    const random = new Random(user.length + user.charCodeAt(0));
    const device = new Device(server, user);
    for (const pause of randomPauses(random, null, newID)) await device.client.save('pauses', pause.id, pause);
    for (let count = 0; count < 30; count += 1) {
      const { habit, events, pauses } = randomKnown(random);
      await device.client.save('habits', habit.id, habit);
      for (const event of events) await device.client.save('events', event.id, event);
      for (const pause of pauses) await device.client.save('pauses', pause.id, pause);
    }
    assert.ok(await device.exchange());
    assert.deepEqual(device.problems.map(({ problem }) => problem), []);
    const { habits } = await server.get(user, `days?from=${RANGE.from}&to=${RANGE.to}`);
    const own = device.client.days.of(RANGE.from, RANGE.to).habits;
    for (const theirs of habits) assert.deepEqual(own.find(({ id }) => id === theirs.id), theirs);
    assert.equal(own.length, habits.length);
    assert.deepEqual(device.client.copy.meta.get('days').exact.length, habits.length);
  });
}

test('after a change of the schedule, past days keep the days of the server, also offline', async () => {
  const device = new Device(server, 'carla');
  const habit = await device.client.save('habits', null, { title: 'Gym', days: 'mon wed fri', start: '2026-11-01' });
  await device.exchange();
  await device.client.save('habits', habit, { days: 'tue thu' });
  const offline = device.client.days.of('2026-11-09', '2026-11-27');
  await device.exchange();
  const { habits } = await server.get('carla', 'days?from=2026-11-09&to=2026-11-27');
  assert.deepEqual(offline.habits[0].days, habits[0].days);
  assert.deepEqual(device.client.days.of('2026-11-09', '2026-11-27').habits, habits);
  // The rule of this device knows only the current schedule, so the event must be laid over the days of the server.
  await device.client.save('events', null, { habit, day: '2026-11-18' });
  const [day] = device.client.days.of('2026-11-18', '2026-11-18').habits[0].days;
  assert.deepEqual([day.due, day.outcome], [true, 'done']);
});

test('a day of the server loses its event when this device deletes it', () => {
  const theirs = { ...EMPTY, days: [{ day: '2026-11-18', due: true, event: 'e', outcome: 'done' }] };
  const own = { ...EMPTY, days: [{ day: '2026-11-18', due: true, outcome: 'missed' }] };
  const [day] = overlaid(own, theirs, RANGE, false).days;
  assert.deepEqual(day, { day: '2026-11-18', due: true, outcome: 'missed' });
});

test('without a connection, days that end after the response of the server are missed', () => {
  const due = day => ({ day, due: true });
  const theirs = { ...EMPTY, days: [{ ...due('2026-11-20'), outcome: 'open' }, due('2026-11-21'), due('2026-11-22')] };
  const own = { ...EMPTY, days: [due('2026-11-20'), { ...due('2026-11-21'), event: 'e', outcome: 'done' }, due('2026-11-22')] };
  const { days } = overlaid(own, theirs, { ...RANGE, to: '2026-11-30', today: '2026-11-22' }, false);
  assert.deepEqual(days.map(({ outcome }) => outcome), ['missed', 'done', 'open']);
});
