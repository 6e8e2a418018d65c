// The weeks of the calendar of a habit, and its rate by weekday.

import { addDays, startOfWeek } from '../../texts/formats.js';
import { WEEKDAYS } from '../../texts/schedule.js';

const DAYS_PER_WEEK = WEEKDAYS.length;

/**
 * A day of a habit in the form of `/days`.
 * @typedef {{day: string, due?: boolean, paused?: boolean, outcome?: string, event?: string | null}} HabitDay
 */

/** @typedef {{day: string, outcome: string, isFuture: boolean}} CalendarDay */

/**
 * Returns the first day of the calendar.
 * @param {string} today
 * @param {number} count the number of weeks
 */
export function firstDayOfWeeks(today, count) {
  return addDays(startOfWeek(today), -DAYS_PER_WEEK * (count - 1));
}

/**
 * Returns the weeks of the calendar, oldest first. The last one contains the current day.
 * @param {string} today
 * @param {number} count the number of weeks
 * @param {readonly HabitDay[]} days the days of the habit, in any order
 * @returns {CalendarDay[][]}
 */
export function calendarWeeks(today, count, days) {
  const known = new Map(days.map(day => [day.day, day]));
  const first = firstDayOfWeeks(today, count);
  return Array.from({ length: count }, (_, week) => {
    const start = addDays(first, week * DAYS_PER_WEEK);
    return Array.from({ length: DAYS_PER_WEEK }, (_, index) => {
      const day = addDays(start, index);
      return { day, outcome: outcomeOf(known.get(day)), isFuture: day > today };
    });
  });
}

/**
 * Returns the outcome of a day, or `paused`, or `none` for a day on which the habit is not due.
 * @param {HabitDay | undefined} day
 */
function outcomeOf(day) {
  if (!day) return 'none';
  if (day.outcome && day.outcome !== 'none') return day.outcome;
  return day.paused ? 'paused' : 'none';
}

/** @typedef {{weekday: number, due: number, done: number}} WeekdayRate `weekday` is 0 for Monday */

/**
 * Returns for each weekday how many days were due and how many of them were done. An open day and a skipped day count
 * as not due, and an unplanned event does not count.
 * @param {readonly HabitDay[]} days
 * @returns {WeekdayRate[]} from Monday
 */
export function weekdayRates(days) {
  const rates = WEEKDAYS.map((_, weekday) => ({ weekday, due: 0, done: 0 }));
  for (const { day, outcome } of days) {
    if (outcome !== 'done' && outcome !== 'missed') continue;
    // Sunday is 0 in `getUTCDay` and last in a week of the server.
    const index = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % DAYS_PER_WEEK;
    rates[index].due += 1;
    if (outcome === 'done') rates[index].done += 1;
  }
  return rates;
}
