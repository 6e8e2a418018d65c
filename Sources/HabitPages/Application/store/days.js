// The days of the person: those of the server, and what this device computes because it knows more.

import { History, scheduleOf } from './history.js';
import { Statistics, statusOf } from './statistics.js';
import { dayOf, numberOf } from './calendar.js';

/** @typedef {import('./types').Days} Days */
/** @typedef {import('./types').DayEntry} DayEntry */
/** @typedef {import('./types').HabitDays} HabitDays */
/** @typedef {import('./types').Fields} Fields */

/** @type {(keyof DayEntry)[]} */
const COMPARED = ['day', 'due', 'paused', 'outcome', 'event', 'amount'];

/**
 * A habit with everything that decides about its days.
 * @typedef {object} Known
 * @property {Fields} habit
 * @property {readonly Fields[]} events
 * @property {readonly Fields[]} pauses those of the habit and of all habits
 * @property {{fields: Fields, since: string}} [earlier] the habit before a waiting change, and the day of the change
 */

/**
 * Computes the days of a habit as the server does. The server also knows earlier schedules of the habit and events
 * that are older than the copy: `agrees` finds out whether they matter.
 * @param {Known} known
 * @param {{from: string, to: string, today: string}} range
 * @returns {HabitDays}
 */
export function computedDays(known, range) {
  const { habit } = known;
  const [from, to, today] = [range.from, range.to, range.today].map(numberOf);
  const history = new History(habit, known.events, known.pauses, schedulesOf(known), today);
  const current = new Statistics(history, today);
  const ahead = to > today ? new Statistics(history, to) : current;
  const events = new Map(known.events.map(event => [event.day, event]));
  /** @type {DayEntry[]} */
  const days = [];
  for (let number = from; number <= to; number += 1) {
    const day = dayOf(number);
    const entry = entryOf({ number, day, today, history, current, ahead, event: events.get(day) });
    if (entry.due || entry.paused || entry.event || entry.progress) days.push(entry);
  }
  const rate = current.completionRate;
  const { id, title, unit = null, target_amount = null } = habit;
  const completion_rate = rate === null ? null : Math.round(rate * 1e6) / 1e6;
  return { id, title, unit, target_amount, status: statusOf(rate), streak: current.streak, completion_rate, days };
}

/** @param {Known} known */
function schedulesOf({ habit, earlier }) {
  const now = scheduleOf(habit);
  if (!earlier || (habit.start && habit.start >= earlier.since)) return [now];
  return [scheduleOf(earlier.fields), scheduleOf(habit, numberOf(earlier.since))];
}

/**
 * @param {object} day
 * @param {number} day.number
 * @param {string} day.day
 * @param {number} day.today
 * @param {History} day.history
 * @param {Statistics} day.current
 * @param {Statistics} day.ahead
 * @param {Fields} [day.event]
 * @returns {DayEntry}
 */
function entryOf({ number, day, today, history, current, ahead, event }) {
  const isPaused = history.exists(number) && history.isPaused(number);
  const outcome = number <= today ? current.outcome(number) : futureOutcome(ahead.outcome(number));
  const { target } = history.scheduleOn(number);
  const hasProgress = target !== null && number <= today && history.exists(number) && !isPaused;
  return {
    day,
    due: ahead.isToDo(number),
    ...(isPaused && { paused: true }),
    ...(outcome && { outcome }),
    ...(event && { event: event.id }),
    ...(typeof event?.amount === 'number' && { amount: event.amount }),
    ...(hasProgress && {
      progress: { done: current.doneUntil(number, target), target: target.times, period_days: target.period },
    }),
  };
}

/**
 * A day after today is neither open nor missed.
 * @param {import('./statistics.js').Outcome} outcome
 */
function futureOutcome(outcome) {
  return outcome === 'open' || outcome === 'missed' ? undefined : outcome;
}

/**
 * Whether this device computes the same days as the server.
 * @param {HabitDays} own
 * @param {HabitDays} theirs
 */
export function agrees(own, theirs) {
  return own.streak === theirs.streak && own.completion_rate === theirs.completion_rate
    && own.days.length === theirs.days.length && own.days.every((day, index) => isSameDay(day, theirs.days[index]));
}

/**
 * @param {DayEntry} own
 * @param {DayEntry} theirs
 */
function isSameDay(own, theirs) {
  const isSame = COMPARED.every(name => own[name] === theirs[name]);
  return isSame && own.progress?.done === theirs.progress?.done && own.progress?.target === theirs.progress?.target;
}
