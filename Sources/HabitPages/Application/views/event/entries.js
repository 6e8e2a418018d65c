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
 * Returns the fields of a new event. The store adds the time to an event of today.
 * @param {string} habit
 * @param {string} day
 */
export function newEntry(habit, day) {
  return { habit, day, outcome: 'done' };
}

/**
 * Whether the day counts as done.
 * @param {DayEntry | undefined} entry
 */
export function isDone(entry) {
  return entry?.event !== undefined && (entry.outcome === 'done' || entry.outcome === 'unplanned');
}
