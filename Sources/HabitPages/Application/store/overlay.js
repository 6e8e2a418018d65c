// The days of the server with the events of this device, for a habit whose earlier schedules only the server knows.

/** @typedef {import('./types').DayEntry} DayEntry */
/** @typedef {import('./types').HabitDays} HabitDays */
/**
 * The days of a response of the server.
 * @typedef {object} Covered
 * @property {string} from
 * @property {string} to
 * @property {string} asOf the day of the response
 * @property {string} today the current day
 */

/**
 * Returns the days of a habit: the known days of the server, and otherwise the days of this device.
 * @param {HabitDays} own the days that this device computes with the current schedule
 * @param {HabitDays} theirs
 * @param {Covered} covered
 * @param {boolean} isRescheduled whether a change of the schedule or of pauses waits, so that the days of the server end
 *   before today
 * @returns {HabitDays}
 */
export function overlaid(own, theirs, covered, isRescheduled) {
  const { from, to, asOf } = covered;
  /** @param {string} day */
  const isTheirs = day => day >= from && day <= to && !(isRescheduled && day >= asOf);
  const ownDays = new Map(own.days.map(entry => [entry.day, entry]));
  const theirDays = new Map(theirs.days.map(entry => [entry.day, entry]));
  const days = [...new Set([...ownDays.keys(), ...theirDays.keys()])].sort();
  /** @type {DayEntry[]} */
  const entries = [];
  for (const day of days) {
    const ownEntry = ownDays.get(day) ?? { day, due: false };
    const theirEntry = theirDays.get(day) ?? { day, due: false };
    const entry = isTheirs(day) ? withEvent(theirEntry, ownEntry, covered) : ownEntry;
    if (hasContent(entry)) entries.push(entry);
  }
  const { status, streak, completion_rate } = theirs;
  return { ...own, status, streak, completion_rate, days: entries };
}

/**
 * Returns a day of the server with the event that this device has.
 * @param {DayEntry} theirs
 * @param {DayEntry} own
 * @param {Covered} covered
 * @returns {DayEntry}
 */
function withEvent(theirs, own, { asOf, today }) {
  const { event, amount, outcome, progress, ...rest } = theirs;
  // A day that had not ended at the response may have ended since then.
  const isCurrent = own.day < asOf || asOf === today;
  if (isCurrent && event === own.event && amount === own.amount) return theirs;
  const result = outcomeOf(theirs, own, today);
  const done = Number(isDone(result)) - Number(isDone(outcome));
  return {
    ...rest,
    ...(result && { outcome: result }),
    ...(own.event && { event: own.event }),
    ...(own.amount !== undefined && { amount: own.amount }),
    ...(progress && { progress: { ...progress, done: progress.done + done } }),
  };
}

/**
 * @param {DayEntry} theirs
 * @param {DayEntry} own
 * @param {string} today
 * @returns {DayEntry['outcome']}
 */
function outcomeOf({ due }, own, today) {
  if (own.outcome === 'skipped') return 'skipped';
  if (isDone(own.outcome)) return due ? 'done' : 'unplanned';
  if (!due || own.day > today) return undefined;
  return own.day === today ? 'open' : 'missed';
}

/** @param {DayEntry['outcome']} outcome */
function isDone(outcome) {
  return outcome === 'done' || outcome === 'unplanned';
}

/** @param {DayEntry} entry */
function hasContent({ due, paused, event, progress }) {
  return due || paused || event !== undefined || progress !== undefined;
}
