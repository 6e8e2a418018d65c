import { html } from '../library.js';
import { firstCharacter } from '../texts/characters.js';

/**
 * The letter of a habit in its color. Screen readers skip it, because the title is next to it.
 * @param {{ habit: Readonly<Record<string, any>> }} properties `habit` is the properties of the habit
 */
export function HabitBadge({ habit }) {
  const letter = habit.symbol || firstCharacter(habit.title).toLocaleUpperCase();
  const tint = `habit-tint-${habit.tint ?? 'none'}`;
  return html`<span class=${`habit-badge ${tint}`} aria-hidden="true" translate="no">${letter}</span>`;
}
