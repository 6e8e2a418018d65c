// A habit with its schedule, events and pauses, by the rules of the server. Days are numbers.

import { numberOf, weekdayOf, weekdaysOf } from './calendar.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {{times: number, period: number}} Target */
/** @typedef {{from: number, weekdays: Set<number> | null, target: Target | null}} Schedule */
/** @typedef {'done' | 'skipped' | 'below'} DayResult an event below the target amount makes no day done */

/** A habit with its events and pauses. */
export class History {
  /**
   * The results of the days with an event.
   * @type {Map<number, DayResult>}
   */
  results = new Map();
  /**
   * The first day with an event.
   * @type {number | undefined}
   */
  firstEvent;
  /**
   * The last day with an event.
   * @type {number | undefined}
   */
  lastEvent;

  /**
   * @param {Fields} habit
   * @param {readonly Fields[]} events
   * @param {readonly Fields[]} pauses the pauses of the habit and of all habits
   * @param {readonly Schedule[]} schedules in the order of their first days
   * @param {number} today
   */
  constructor(habit, events, pauses, schedules, today) {
    for (const event of events) this.results.set(numberOf(event.day), resultOf(event, habit));
    const days = [...this.results.keys()].sort((one, other) => one - other);
    this.firstEvent = days[0];
    this.lastEvent = days[days.length - 1];
    this.start = habit.start ? numberOf(habit.start) : this.firstEvent ?? today;
    this.end = habit.end ? numberOf(habit.end) : Infinity;
    this.schedules = schedules;
    this.pauses = pauses.map(({ from, to }) => ({ from: numberOf(from), to: to ? numberOf(to) : Infinity }));
  }

  /** @param {number} day */
  scheduleOn(day) {
    let current = this.schedules[0];
    for (const schedule of this.schedules) if (schedule.from <= day) current = schedule;
    return current;
  }

  /** @param {number} day */
  exists(day) {
    return day >= this.start && day <= this.end;
  }

  /** @param {number} day */
  isPaused(day) {
    return this.pauses.some(({ from, to }) => day >= from && day <= to);
  }

  /**
   * Whether the habit would be due if it were not paused. With a target, every day counts.
   * @param {number} day
   */
  isScheduled(day) {
    const { weekdays } = this.scheduleOn(day);
    return this.exists(day) && (weekdays?.has(weekdayOf(day)) ?? true);
  }

  /**
   * Whether streaks, rates and periods leave out the day.
   * @param {number} day
   */
  isPassedOver(day) {
    return this.results.get(day) === 'skipped' || this.isPaused(day);
  }

  get longestPeriod() {
    return Math.max(0, ...this.schedules.map(({ target }) => target?.period ?? 0));
  }
}

/**
 * Returns the schedule of a habit.
 * @param {Fields} habit
 * @param {number} from its first day
 * @returns {Schedule}
 */
export function scheduleOf({ days, times, period_days }, from = -Infinity) {
  const target = times && period_days ? { times, period: period_days } : null;
  return { from, weekdays: target ? null : weekdaysOf(days ?? ''), target };
}

/**
 * @param {Fields} event
 * @param {Fields} habit
 * @returns {DayResult}
 */
function resultOf({ outcome, amount }, { target_amount }) {
  if (outcome === 'skipped') return 'skipped';
  const isEnough = target_amount === null || target_amount === undefined || (amount ?? -Infinity) >= target_amount;
  return isEnough ? 'done' : 'below';
}
