import { Field } from '../../components/Field.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { possibleDays } from './eventDay.js';

/**
 * The day of an event. The event can move to another day of its habit.
 * @param {object} properties
 * @param {import('../../store/types').Visible} properties.habit
 * @param {string} properties.today
 * @param {string} properties.value
 * @param {string | undefined} properties.problem
 * @param {(day: string) => void} properties.onInput
 */
export function DayField({ habit, today, value, problem, onInput }) {
  const { first, last } = possibleDays(habit, today);
  const attributes = { type: 'date', min: first, max: last };
  return html`
    <${Field} id="event-day" label=${text('field.day')} value=${value} problem=${problem} onInput=${onInput}
      attributes=${attributes} />`;
}
