// The pauses of a habit: days on which it is neither due nor missed.

import { addDays, dayText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { isOwn } from './ownHabits.js';

/** @typedef {import('../../store/types').Visible} Visible */

/**
 * Returns the pauses of a habit that have not ended, first ones first. A pause without a habit pauses all habits.
 * @param {readonly Visible[]} pauses
 * @param {string} habit the ID of the habit
 * @param {string} person the ID of the person
 * @param {string} today
 */
export function openPauses(pauses, habit, person, today) {
  const open = pauses.filter(pause => {
    const { habit: paused, to } = pause.properties;
    return isOwn(pause, person) && (!paused || paused === habit) && (!to || to >= today);
  });
  return open.sort((first, second) => first.properties.from.localeCompare(second.properties.from));
}

/**
 * Returns the days of a pause in words.
 * @param {Readonly<Record<string, any>>} pause the properties of the pause
 * @param {string} today
 */
export function pauseText({ from, to }, today) {
  if (to) return text('pause.range', { from: shortDay(from), to: shortDay(to) });
  return text(from > today ? 'pause.planned' : 'pause.since', { from: shortDay(from) });
}

/** @param {string} day */
function shortDay(day) {
  return dayText(day, { day: 'numeric', month: 'short' });
}

/**
 * Returns the last day of a pause that ends now, or `undefined` if no day of it is over.
 * @param {Readonly<Record<string, any>>} pause the properties of the pause
 * @param {string} today
 */
export function lastDayOfPause({ from }, today) {
  return from < today ? addDays(today, -1) : undefined;
}
