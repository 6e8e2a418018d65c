// The days on which an event is possible, and those on which it counts.

import { dayText, isDay } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').DayEntry} DayEntry */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * Returns the first and the last day to which an event can move.
 * @param {Visible} habit
 * @param {string} today
 */
export function possibleDays(habit, today) {
  const { start, end } = habit.properties;
  return { first: start ?? undefined, last: end && end < today ? end : today };
}

/**
 * Returns why an event cannot move to a day, or `undefined` if it can.
 * @param {StoreInterface} store
 * @param {{ habit: Visible, event: Visible, day: string }} move
 */
export function dayProblem(store, { habit, event, day }) {
  const { today } = store.state;
  const { start, end } = habit.properties;
  if (!isDay(day)) return text('problem.from-missing');
  if (day > today) return text('problem.day-in-future');
  if (start && day < start) return text('event.beforeStart', { day: mediumDay(start) });
  if (end && day > end) return text('event.afterEnd', { day: mediumDay(end) });
  const isTaken = store.records('events').some(({ id, properties }) => {
    return id !== event.id && properties.habit === habit.id && properties.day === day;
  });
  return isTaken ? text('event.dayTaken') : undefined;
}

/**
 * Whether an event on a day is planned, so that it counts. With a target, an event counts on every day without a pause,
 * also if the habit has reached its target and is no longer due.
 * @param {DayEntry | undefined} entry the habit on the day
 */
export function isPlanned(entry) {
  return entry !== undefined && !entry.paused && (entry.due || entry.progress !== undefined);
}

/**
 * Returns the habit on a day.
 * @param {StoreInterface} store
 * @param {string} habit
 * @param {string} day
 * @returns {DayEntry | undefined}
 */
export function dayEntry(store, habit, day) {
  const found = store.days(day, day).habits.find(({ id }) => id === habit);
  return found?.days.find(entry => entry.day === day);
}

/** @param {string} day */
function mediumDay(day) {
  return dayText(day, { dateStyle: 'medium' });
}
