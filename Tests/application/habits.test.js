// The rules of the views of habits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calendarWeeks, firstDayOfWeeks, weekdayRates,
} from '../../Sources/HabitPages/Application/views/habits/calendarWeeks.js';
import { problemsOf, STANDARD_LIMITS } from '../../Sources/HabitPages/Application/views/habits/habitChecks.js';
import {
  changesOf, formOf, newForm, propertiesOf,
} from '../../Sources/HabitPages/Application/views/habits/habitFields.js';
import { hasEnded, ownHabits } from '../../Sources/HabitPages/Application/views/habits/ownHabits.js';
import { lastDayOfPause, openPauses } from '../../Sources/HabitPages/Application/views/habits/pauses.js';

const TODAY = '2026-11-20';

function form(changes = {}) {
  return { ...newForm(TODAY), title: 'Run', ...changes };
}

function problems(changes, takenTitles = []) {
  return problemsOf(form(changes), STANDARD_LIMITS, takenTitles);
}

function slugs(changes, takenTitles) {
  return Object.fromEntries(Object.entries(problems(changes, takenTitles)).map(([field, { slug }]) => [field, slug]));
}

function record(collection, id, properties) {
  return { collection, id, geometry: null, properties };
}

test('a new habit is due every day from today', () => {
  assert.deepEqual(slugs({}), {});
  const properties = propertiesOf(form());
  assert.equal(properties.days, 'mon tue wed thu fri sat sun');
  assert.equal(properties.start, TODAY);
  assert.equal(properties.times, null);
});

test('a title of 20 characters is accepted and one of 21 is not', () => {
  assert.deepEqual(slugs({ title: 'x'.repeat(20) }), {});
  const problem = { slug: 'title-too-long', parameters: { limit: 20 } };
  assert.deepEqual(problems({ title: 'x'.repeat(21) }), { title: problem });
});

test('characters are counted as people count them', () => {
  assert.deepEqual(slugs({ title: '👩‍👩‍👧'.repeat(20) }), {});
  assert.deepEqual(slugs({ title: 'e\u0301'.repeat(20) }), {});
  assert.deepEqual(slugs({ title: '👩‍👩‍👧'.repeat(21) }), { title: 'title-too-long' });
});

test('a reason of 30 characters is accepted and one of 31 is not', () => {
  assert.deepEqual(slugs({ reason: 'x'.repeat(30) }), {});
  const problem = { slug: 'reason-too-long', parameters: { limit: 30 } };
  assert.deepEqual(problems({ reason: 'x'.repeat(31) }), { reason: problem });
});

test('a blank title is a problem', () => {
  assert.deepEqual(slugs({ title: ' \t' }), { title: 'title-empty' });
});

test('a title of another own habit is a problem in upper and lower case', () => {
  assert.deepEqual(slugs({ title: 'rUN' }, ['Run']), { title: 'title-taken' });
  assert.deepEqual(slugs({ title: 'Run' }, ['Running']), {});
});

test('a habit without a weekday is a problem unless it has a target', () => {
  assert.deepEqual(slugs({ days: [] }), { days: 'schedule-empty' });
  assert.deepEqual(slugs({ days: [], repeat: 'times' }), {});
});

test('a target has whole numbers up to the days of its period', () => {
  assert.deepEqual(slugs({ repeat: 'times', times: '7', periodDays: '7' }), {});
  assert.deepEqual(slugs({ repeat: 'times', times: '8', periodDays: '7' }), { times: 'times-invalid' });
  assert.deepEqual(slugs({ repeat: 'times', times: '0', periodDays: '7' }), { times: 'times-invalid' });
  assert.deepEqual(slugs({ repeat: 'times', times: '1.5', periodDays: '7' }), { times: 'times-invalid' });
  assert.deepEqual(slugs({ repeat: 'times', times: '1', periodDays: '9999' }), {});
  assert.deepEqual(slugs({ repeat: 'times', times: '1', periodDays: '10000' }), { periodDays: 'period-invalid' });
  assert.deepEqual(slugs({ repeat: 'times', times: '1', periodDays: '' }), { periodDays: 'period-invalid' });
});

test('a goal is a number above 0 with a point or a comma', () => {
  assert.equal(propertiesOf(form({ targetAmount: '2,5' })).target_amount, 2.5);
  assert.equal(propertiesOf(form({ targetAmount: '' })).target_amount, null);
  assert.deepEqual(slugs({ targetAmount: '0' }), { targetAmount: 'amount-invalid' });
  assert.deepEqual(slugs({ targetAmount: 'much' }), { targetAmount: 'amount-invalid' });
  assert.deepEqual(slugs({ targetAmount: ' ' }), { targetAmount: 'amount-invalid' });
  assert.deepEqual(slugs({ targetAmount: 'Infinity' }), { targetAmount: 'amount-invalid' });
});

test('an end before the start is a problem', () => {
  assert.deepEqual(slugs({ end: TODAY }), {});
  assert.deepEqual(slugs({ end: '2026-11-19' }), { end: 'end-before-start' });
});

test('a letter is one visible character', () => {
  assert.deepEqual(slugs({ symbol: '👩‍👩‍👧' }), {});
  for (const symbol of ['ab', '\u200b', '\u0301', '\u202e', `e${'\u0301'.repeat(40)}`]) {
    assert.deepEqual(slugs({ symbol }), { symbol: 'symbol-invalid' }, JSON.stringify(symbol));
  }
});

test('the fields of a stored habit describe the same habit', () => {
  const stored = {
    title: 'Read', reason: null, days: null, times: 3, period_days: 7, target_amount: 20.5, unit: 'pages',
    start: '2026-05-21', end: null, remind_at: '07:00', tint: 2, symbol: 'R',
  };
  assert.deepEqual(propertiesOf(formOf(stored)), stored);
});

test('a change contains only what the person has changed since the form was opened', () => {
  const opened = formOf(propertiesOf(form()));
  assert.deepEqual(changesOf(opened, opened), {});
  assert.deepEqual(changesOf({ ...opened, reason: 'health ' }, opened), { reason: 'health' });
});

test('a change of the schedule contains all of its fields', () => {
  const opened = formOf(propertiesOf(form()));
  const changed = { ...opened, repeat: 'times', times: '2', periodDays: '14' };
  assert.deepEqual(changesOf(changed, opened), { days: null, times: 2, period_days: 14 });
  assert.deepEqual(changesOf({ ...opened, days: ['mon'] }, opened), { days: 'mon', times: null, period_days: null });
});

test('the weeks of the calendar end with the week of today', () => {
  const weeks = calendarWeeks(TODAY, 2, []);
  assert.deepEqual(weeks.map(week => week.length), [7, 7]);
  assert.equal(weeks[0][0].day, firstDayOfWeeks(TODAY, 2));
  assert.ok(weeks[1].some(({ day }) => day === TODAY));
  for (const { day, isFuture } of weeks.flat()) assert.equal(isFuture, day > TODAY, day);
});

test('a day of the calendar has its outcome or is paused', () => {
  const days = [
    { day: '2026-11-18', due: false, outcome: 'none', paused: true },
    { day: '2026-11-19', due: true, outcome: 'missed' },
    { day: TODAY, due: true, outcome: 'open' },
  ];
  const outcomes = new Map(calendarWeeks(TODAY, 1, days).flat().map(({ day, outcome }) => [day, outcome]));
  assert.equal(outcomes.get('2026-11-17'), 'none');
  assert.equal(outcomes.get('2026-11-18'), 'paused');
  assert.equal(outcomes.get('2026-11-19'), 'missed');
  assert.equal(outcomes.get(TODAY), 'open');
});

test('rates by weekday count done and missed days', () => {
  const rates = weekdayRates([
    { day: '2026-11-09', outcome: 'done' },
    { day: '2026-11-16', outcome: 'missed' },
    { day: '2026-11-15', outcome: 'done' },
    { day: '2026-11-17', outcome: 'skipped' },
    { day: '2026-11-18', outcome: 'unplanned' },
    { day: TODAY, outcome: 'open' },
  ]);
  assert.deepEqual(rates[0], { weekday: 0, due: 2, done: 1 });
  assert.deepEqual(rates[6], { weekday: 6, due: 1, done: 1 });
  assert.deepEqual(rates.slice(1, 6).map(({ due }) => due), [0, 0, 0, 0, 0]);
});

test('own habits are in the order of rank and title', () => {
  const habits = [
    record('habits', 'b', { user: 'me', title: 'Beta' }),
    record('habits', 'new', { title: 'Alpha' }),
    record('habits', 'r', { user: 'me', title: 'Zeta', rank: 1 }),
    record('habits', 'x', { user: 'other', title: 'Aaa' }),
  ];
  assert.deepEqual(ownHabits(habits, 'me').map(({ id }) => id), ['r', 'new', 'b']);
});

test('a habit has ended after its last day', () => {
  assert.equal(hasEnded(record('habits', 'h', { end: TODAY }), TODAY), false);
  assert.equal(hasEnded(record('habits', 'h', { end: '2026-11-19' }), TODAY), true);
  assert.equal(hasEnded(record('habits', 'h', { end: null }), TODAY), false);
});

test('open pauses are pauses of the habit or of all habits that have not ended', () => {
  const pauses = [
    record('pauses', 'later', { habit: 'h', user: 'me', from: '2026-12-01', to: null }),
    record('pauses', 'all', { habit: null, user: 'me', from: '2026-11-01', to: TODAY }),
    record('pauses', 'over', { habit: 'h', user: 'me', from: '2026-11-01', to: '2026-11-19' }),
    record('pauses', 'other habit', { habit: 'g', user: 'me', from: '2026-11-01', to: null }),
    record('pauses', 'other user', { habit: null, user: 'you', from: '2026-11-01', to: null }),
  ];
  assert.deepEqual(openPauses(pauses, 'h', 'me', TODAY).map(({ id }) => id), ['all', 'later']);
});

test('a pause ends on the day before, or is deleted if no day of it is over', () => {
  assert.equal(lastDayOfPause({ from: '2026-11-18' }, TODAY), '2026-11-19');
  assert.equal(lastDayOfPause({ from: TODAY }, TODAY), undefined);
});
