// Random habits with events and pauses, as records of the API.

import { dayOf, numberOf } from '../../Sources/HabitPages/Application/store/calendar.js';
import { TODAY } from './server.js';

const today = numberOf(TODAY);
const NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** @param {import('./random.js').Random} random */
export function randomHabit(random, id) {
  const weekdays = NAMES.filter(() => random.chance(0.5));
  const period = 1 + random.below(10);
  const schedule = random.chance(0.5)
    ? { days: (weekdays.length > 0 ? weekdays : NAMES).join(' '), times: null, period_days: null }
    : { days: null, times: 1 + random.below(Math.min(4, period)), period_days: period };
  const start = random.chance(0.8) ? dayOf(today - random.below(70)) : null;
  const end = start && random.chance(0.2) ? dayOf(today - random.below(20) + 5) : null;
  const isOrdered = !start || !end || start <= end;
  const target_amount = random.chance(0.3) ? 5 : null;
  return { id, title: `Habit ${id.slice(-6)}`, ...schedule, start, end: isOrdered ? end : null, target_amount };
}

/** Returns events on random days, also on days on which the habit is not due. */
export function randomEvents(random, habit, newID) {
  const share = random.next();
  const events = [];
  for (let day = today - 70; day <= today; day += 1) {
    const isInRange = (!habit.start || dayOf(day) >= habit.start) && (!habit.end || dayOf(day) <= habit.end);
    if (!random.chance(share) || (!isInRange && random.chance(0.9))) continue;
    const outcome = random.chance(0.15) ? 'skipped' : 'done';
    const amount = random.chance(0.5) ? random.below(10) : null;
    events.push({ id: newID(), habit: habit.id, day: dayOf(day), outcome, amount });
  }
  return events;
}

/** Returns pauses of a habit, or of all habits if it is null. */
export function randomPauses(random, habit, newID) {
  const count = random.below(3);
  return Array.from({ length: count }, () => {
    const from = today - 60 + random.below(65);
    const to = random.chance(0.8) ? dayOf(from + random.below(12)) : null;
    return { id: newID(), habit, from: dayOf(from), to };
  });
}
