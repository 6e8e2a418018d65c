// Entries of a day: what a tap on a habit records.

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').HabitDays} HabitDays */
/** @typedef {import('../../store/types').DayEntry} DayEntry */

/**
 * Records that a habit was done, or completes its entry of the day.
 * @param {StoreInterface} store
 * @param {{ habit: HabitDays, day: string, entry: DayEntry | undefined }} target the entry of the day so far
 * @returns {Promise<() => Promise<void>>} a function that restores the former entry
 */
export async function recordDone(store, { habit, day, entry }) {
  const amount = habit.target_amount === null ? {} : { amount: habit.target_amount };
  if (!entry?.event) {
    const id = await store.save('events', null, { ...newEntry(habit.id, day), ...amount });
    return async () => void await store.remove('events', id);
  }
  const former = store.find('events', entry.event)?.properties ?? {};
  // Another event can replace a skipped one.
  const event = await store.save('events', entry.event, { outcome: 'done', ...amount });
  return async () => void await store.save('events', event, { outcome: former.outcome, amount: former.amount });
}

/**
 * Returns the fields of a new event.
 * @param {string} habit
 * @param {string} day
 * @param {Date} [now]
 */
export function newEntry(habit, day, now = new Date()) {
  const entry = { habit, day, outcome: 'done' };
  // The time of an entry for another day is not known.
  return localDay(now) === day ? { ...entry, at: localInstant(now) } : entry;
}

/**
 * Whether the day counts as done.
 * @param {DayEntry | undefined} entry
 */
export function isDone(entry) {
  return entry?.event !== undefined && (entry.outcome === 'done' || entry.outcome === 'unplanned');
}

/**
 * Returns the date of an instant on this device.
 * @param {Date} date
 */
function localDay(date) {
  return localInstant(date).slice(0, 10);
}

/**
 * Returns an instant in RFC 3339 with the offset of this device, such as `2026-11-20T08:05:00+01:00`.
 * @param {Date} date
 */
function localInstant(date) {
  const offset = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const twoDigits = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
}
