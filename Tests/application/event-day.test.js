// The day of an event: the days to which the event can move, and the days on which it counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  dayEntry, dayProblem, isPlanned, possibleDays,
} from '../../Sources/HabitPages/Application/views/event/eventDay.js';
import { draftOf, fieldsOf } from '../../Sources/HabitPages/Application/views/event/eventDraft.js';

const TODAY = '2026-11-20';
const EVENT = eventOf('e', { day: '2026-11-18', comment: 'a' });
const OTHER = eventOf('f', { day: '2026-11-17' });

function eventOf(id, properties) {
  return { id, collection: 'events', geometry: null, properties: { habit: 'walk', ...properties } };
}

function habitOf(properties = {}) {
  return { id: 'walk', collection: 'habits', properties };
}

const store = { state: { today: TODAY }, records: () => [EVENT, OTHER] };

function problemOf(day, habit = habitOf()) {
  return dayProblem(store, { habit, event: EVENT, day });
}

test('an event moves to a free day of its habit up to today', () => {
  const habit = habitOf({ start: '2026-11-02', end: '2026-11-19' });
  const days = ['2026-11-02', '2026-11-16', '2026-11-18', '2026-11-19'];
  for (const day of days) assert.equal(problemOf(day, habit), undefined);
  assert.equal(problemOf(TODAY), undefined);
});

test('each day that is not possible has its own text', () => {
  const habit = habitOf({ start: '2026-11-02', end: '2026-11-19' });
  assert.equal(problemOf(''), 'Choose a day.');
  assert.equal(problemOf('2026-02-30'), 'Choose a day.');
  assert.match(problemOf('2026-11-21'), /has not begun/);
  assert.match(problemOf('2026-11-01', habit), /begins on Nov 2, 2026/);
  assert.match(problemOf(TODAY, habit), /ended on Nov 19, 2026/);
  assert.match(problemOf('2026-11-17'), /already has an entry/);
});

test('the possible days end with the habit or today', () => {
  assert.deepEqual(possibleDays(habitOf({ start: '2026-11-02' }), TODAY), { first: '2026-11-02', last: TODAY });
  assert.deepEqual(possibleDays(habitOf({ end: '2026-11-19' }), TODAY), { first: undefined, last: '2026-11-19' });
  assert.deepEqual(possibleDays(habitOf({ end: '2026-12-31' }), TODAY), { first: undefined, last: TODAY });
});

test('a change has the day only if the person has changed it', () => {
  const opened = draftOf(EVENT, {});
  const target = { event: EVENT, habit: 'walk', day: '2026-11-18', opened };
  assert.deepEqual(fieldsOf({ ...opened, day: '2026-11-16' }, target), { day: '2026-11-16' });
  const ofOtherDevice = { ...EVENT, properties: { ...EVENT.properties, day: '2026-11-15' } };
  assert.deepEqual(fieldsOf(opened, { ...target, event: ofOtherDevice }), {});
});

test('an entry is planned on a due day, and with a target on each day without a pause', () => {
  const entry = { day: TODAY, due: false };
  const progress = { done: 3, target: 3, period_days: 7 };
  assert.equal(isPlanned({ ...entry, due: true }), true);
  assert.equal(isPlanned({ ...entry, progress }), true);
  assert.equal(isPlanned(undefined), false);
  assert.equal(isPlanned(entry), false);
  assert.equal(isPlanned({ ...entry, paused: true, progress }), false);
});

test('the entry of a day belongs to the habit', () => {
  const read = { id: 'read', days: [{ day: TODAY, due: false }] };
  const walk = { id: 'walk', days: [{ day: TODAY, due: true }] };
  const habits = [read, walk];
  const days = { days: () => ({ habits }) };
  assert.deepEqual(dayEntry(days, 'walk', TODAY), { day: TODAY, due: true });
  assert.equal(dayEntry(days, 'walk', '2026-11-19'), undefined);
  assert.equal(dayEntry(days, 'swim', TODAY), undefined);
});
