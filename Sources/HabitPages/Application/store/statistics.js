// What a habit's days were and are: due, outcome, progress, streak and completion rate, as the server computes them.

import { weekdayOf } from './calendar.js';
import { satisfiedDays } from './satisfied.js';

/** @typedef {import('./history.js').History} History */
/** @typedef {import('./history.js').Target} Target */
/** @typedef {'done' | 'skipped' | 'missed' | 'unplanned' | 'open' | undefined} Outcome */

export class Statistics {
  #history;
  #today;
  #last;
  #satisfied;

  /**
   * @param {History} history
   * @param {number} today the day on which a due day is open and not missed
   */
  constructor(history, today) {
    this.#history = history;
    this.#today = today;
    this.#last = Math.min(history.end, today);
    this.#satisfied = history.longestPeriod > 0 ? satisfiedDays(history, this.#last) : new Set();
  }

  /**
   * Whether the habit is on the to-do list of a day, also if it is done or skipped.
   * @param {number} day
   */
  isToDo(day) {
    if (!this.#isPlanned(day) || this.#history.isPaused(day)) return false;
    const { target } = this.#history.scheduleOn(day);
    return target === null || this.#doneBefore(day, target) < target.times;
  }

  /**
   * @param {number} day
   * @returns {Outcome}
   */
  outcome(day) {
    const isDue = this.#isDue(day);
    const result = this.#history.results.get(day);
    if (result === 'skipped') return 'skipped';
    if (result === 'done') return isDue ? 'done' : 'unplanned';
    // Other days of the period can satisfy a target.
    if (!isDue || this.#isAccomplished(day)) return undefined;
    return day === this.#today ? 'open' : 'missed';
  }

  /**
   * Returns the done days of the period that ends with a day.
   * @param {number} day
   * @param {Target} target
   */
  doneUntil(day, target) {
    return this.#doneBefore(day, target) + (this.#hasDoneEvent(day) ? 1 : 0);
  }

  /** The number of consecutive due days that are done, up to today. An open day does not end it. */
  get streak() {
    const { firstEvent } = this.#history;
    if (firstEvent === undefined) return 0;
    const first = this.#firstDaySatisfiedBy(firstEvent);
    let streak = 0;
    for (let day = this.#last; day >= first; day -= 1) {
      if (!this.#isDue(day)) continue;
      if (this.#isAccomplished(day)) streak += 1;
      else if (day !== this.#today) break;
    }
    return streak;
  }

  /** The share of due days that are done in the four weeks up to today, or null if no day was due. */
  get completionRate() {
    const monday = this.#today - weekdayOf(this.#today);
    let due = 0;
    let done = 0;
    for (let day = monday - 21; day <= this.#last; day += 1) {
      if (!this.#isDue(day)) continue;
      const isDone = this.#isAccomplished(day);
      if (!isDone && day === this.#today) continue;
      due += 1;
      if (isDone) done += 1;
    }
    return due === 0 ? null : done / due;
  }

  /** @param {number} day */
  #isPlanned(day) {
    return day <= this.#last && this.#history.isScheduled(day);
  }

  /** @param {number} day */
  #isDue(day) {
    return this.#isPlanned(day) && !this.#history.isPassedOver(day);
  }

  /** @param {number} day */
  #isAccomplished(day) {
    const { target } = this.#history.scheduleOn(day);
    return target ? this.#satisfied.has(day) : this.#history.results.get(day) === 'done';
  }

  /** @param {number} day */
  #hasDoneEvent(day) {
    return this.#isDue(day) && this.#history.results.get(day) === 'done';
  }

  /**
   * Counts the done days of the period that ends with a day, without that day.
   * @param {number} day
   * @param {Target} target
   */
  #doneBefore(day, { period }) {
    const { firstEvent } = this.#history;
    if (firstEvent === undefined) return 0;
    let done = 0;
    let rest = period - 1;
    for (let earlier = day - 1; rest > 0 && earlier >= firstEvent; earlier -= 1) {
      if (this.#history.isPassedOver(earlier)) continue;
      rest -= 1;
      if (this.#hasDoneEvent(earlier)) done += 1;
    }
    return done;
  }

  /**
   * Returns the first day that an event of a day can satisfy.
   * @param {number} day
   */
  #firstDaySatisfiedBy(day) {
    let first = day;
    for (let rest = this.#history.longestPeriod - 1; rest > 0; ) {
      first -= 1;
      if (!this.#history.isPaused(first)) rest -= 1;
    }
    return first;
  }
}

/**
 * Returns the status of a completion rate.
 * @param {number | null} rate
 */
export function statusOf(rate) {
  if (rate === null) return 'New';
  if (rate > 0.85) return 'On track';
  return rate > 0.4 ? 'Near goal' : 'Inactive';
}
