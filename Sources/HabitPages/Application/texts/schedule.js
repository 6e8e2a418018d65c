// The schedule of a habit as text.

import { dayText } from './formats.js';
import { text } from './text.js';

/** The names of weekdays in records, from Monday. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const WEEK = 7;
// The day of a Monday in January 2026, whose week has the names of the weekdays.
const MONDAY = 5;

/**
 * Returns the weekdays of a schedule, such as `Mo We Fr`, or its target, such as `3 times a week`.
 * @param {Readonly<Record<string, any>>} habit the properties of a habit
 */
export function scheduleText({ days, times, period_days: period }) {
  if (times) return targetText(times, period);
  const chosen = chosenWeekdays(days);
  if (chosen.length === WEEK) return text('schedule.daily');
  const numbers = chosen.join('');
  if (numbers === '01234') return text('schedule.weekdays');
  if (numbers === '56') return text('schedule.weekend');
  return chosen.map(weekday => weekdayText(weekday)).join(' ');
}

/**
 * Returns the numbers of the weekdays of a record, from Monday, which is 0.
 * @param {string | null | undefined} days such as `mon wed fri`
 */
export function chosenWeekdays(days) {
  const names = (days ?? '').split(/[\s,]+/);
  return WEEKDAYS.flatMap((name, index) => names.includes(name) ? [index] : []);
}

/**
 * Returns the short name of a weekday.
 * @param {number} weekday 0 is Monday
 * @param {'short' | 'narrow' | 'long'} [form]
 */
export function weekdayText(weekday, form = 'short') {
  return dayText(`2026-01-${String(MONDAY + weekday).padStart(2, '0')}`, { weekday: form });
}

/**
 * @param {number} times
 * @param {number} period
 */
function targetText(times, period) {
  if (period === WEEK) return text('schedule.timesPerWeek', { count: times });
  return text('schedule.timesInDays', { count: times, days: period });
}
