// The days on which a habit with a target, such as 3 times in 7 days, is satisfied.

/** @typedef {import('./history.js').History} History */
/** @typedef {import('./history.js').Target} Target */

/**
 * Returns the satisfied days: those of any period with enough done days. A period does not count skipped and paused
 * days. The schedule of a day determines its target.
 * @param {History} history
 * @param {number} last the last day whose events count
 * @returns {Set<number>}
 */
export function satisfiedDays(history, last) {
  const { firstEvent, lastEvent } = history;
  if (firstEvent === undefined || lastEvent === undefined || firstEvent > last) return new Set();
  const days = countedDays(history, firstEvent, Math.min(lastEvent, last), last);
  /** @type {Set<number>} */
  const satisfied = new Set();
  for (const target of targetsOf(history)) {
    for (const day of satisfiedBy(target, days, history)) {
      const own = history.scheduleOn(day).target;
      if (own?.times === target.times && own.period === target.period) satisfied.add(day);
    }
  }
  return satisfied;
}

/**
 * @param {History} history
 * @returns {Target[]}
 */
function targetsOf({ schedules }) {
  /** @type {Target[]} */
  const targets = [];
  for (const { target } of schedules) if (target) targets.push(target);
  return targets;
}

/**
 * Returns the days that periods count, from one period before the first event to one period after the last.
 * @param {History} history
 * @param {number} first
 * @param {number} end
 * @param {number} last
 */
function countedDays(history, first, end, last) {
  const margin = history.longestPeriod - 1;
  const before = [];
  for (let day = first - 1; before.length < margin; day -= 1) {
    if (!history.isPaused(day)) before.push(day);
  }
  const days = before.reverse();
  for (let day = first; day <= end; day += 1) {
    if (!history.isPassedOver(day)) days.push(day);
  }
  let after = 0;
  for (let day = end + 1; day <= last && after < margin; day += 1) {
    if (history.isPaused(day)) continue;
    days.push(day);
    after += 1;
  }
  return days;
}

/**
 * @param {Target} target
 * @param {number[]} days
 * @param {History} history
 */
function satisfiedBy({ times, period }, days, history) {
  /** The numbers of done days before each day. */
  const doneBefore = [0];
  for (const day of days) {
    const isDone = history.results.get(day) === 'done' && history.exists(day);
    doneBefore.push(doneBefore[doneBefore.length - 1] + (isDone ? 1 : 0));
  }
  /** @type {number[]} */
  const satisfied = [];
  let marked = 0;
  // A period can begin before the first day and end after the last one.
  for (let begin = 1 - period; begin < days.length; begin += 1) {
    const first = Math.max(0, begin);
    const end = Math.min(days.length, begin + period);
    if (doneBefore[end] - doneBefore[first] < times) continue;
    satisfied.push(...days.slice(Math.max(first, marked), end));
    marked = end;
  }
  return satisfied;
}
