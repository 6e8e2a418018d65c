import { html } from '../library.js';
import { firstCharacter } from '../texts/characters.js';

/**
 * The letter of a habit in its color. Screen readers skip it, because the title is beside it.
 * @param {{ habit: Readonly<Record<string, any>> }} properties `habit` is the properties of the habit
 */
export function HabitBadge({ habit }) {
  const letter = habit.symbol || firstCharacter(habit.title).toLocaleUpperCase();
  return html`<span class=${`habit-badge habit-tint-${habit.tint ?? 'none'}`} aria-hidden="true" translate="no">${letter}</span>`;
}
