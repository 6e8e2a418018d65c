// The habits of a day, in the order of the list.

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').HabitDays} HabitDays */
/** @typedef {import('../../store/types').DayEntry} DayEntry */
/** @typedef {import('../../store/types').Days} Days */

import { isDone } from '../event/entries.js';

/**
 * @typedef {object} Row
 * @property {HabitDays} habit
 * @property {Readonly<Record<string, any>>} fields the properties of the habit's record
 * @property {DayEntry | undefined} entry
 */

/**
 * Returns the habits that are due on a day or have an event, and the other habits that are in force.
 * @param {StoreInterface} store
 * @param {Days} days a range that contains the day
 * @param {string} day
 */
export function dayList(store, days, day) {
  const rows = days.habits.map(habit => rowOf(store, habit, day)).sort(compareRanks);
  const isInForce = (/** @type {Row} */ { fields }) => (fields.start ?? day) <= day && (fields.end ?? day) >= day;
  const isDue = (/** @type {Row} */ { entry }) => entry !== undefined && (entry.due || entry.event !== undefined);
  return {
    due: rows.filter(isDue),
    rest: rows.filter(row => !isDue(row) && isInForce(row)),
  };
}

/**
 * Returns how many habits of a day are due, and how many of them are done. Skipped habits do not count.
 * @param {Days} days
 * @param {string} day
 */
export function dayProgress(days, day) {
  const entries = days.habits.map(habit => entryOf(habit, day));
  const counted = entries.filter(entry => entry && (entry.due || entry.event) && entry.outcome !== 'skipped');
  return { day, done: counted.filter(isDone).length, due: counted.length };
}

/**
 * @param {HabitDays} habit
 * @param {string} day
 */
export function entryOf(habit, day) {
  return habit.days.find(entry => entry.day === day);
}

/**
 * @param {StoreInterface} store
 * @param {HabitDays} habit
 * @param {string} day
 * @returns {Row}
 */
function rowOf(store, habit, day) {
  const fields = store.find('habits', habit.id)?.properties ?? {};
  return { habit, fields, entry: entryOf(habit, day) };
}

/**
 * Orders habits by their rank. Habits without a rank follow in the order of their titles, in which they come.
 * @param {Row} first
 * @param {Row} second
 */
function compareRanks(first, second) {
  const rankOf = (/** @type {Row} */ { fields }) => fields.rank ?? Number.MAX_SAFE_INTEGER;
  return rankOf(first) - rankOf(second);
}
