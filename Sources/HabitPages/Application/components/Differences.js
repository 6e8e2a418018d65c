import { html } from '../library.js';
import { dayText, numberText } from '../texts/formats.js';
import { fieldText } from '../texts/problems.js';
import { scheduleText } from '../texts/schedule.js';
import { hasText, text } from '../texts/text.js';

/** @typedef {import('../store/types').Problem} Problem */

/**
 * The values of this device and of the other one, for each field that both have changed.
 * @param {{ problem: Problem }} properties
 */
export function Differences({ problem }) {
  const { mine, theirs, fields } = problem;
  if (mine === null) return html`<p>${text('conflict.deletedHere')}</p>`;
  if (theirs === null) return html`<p>${text('conflict.deletedThere')}</p>`;
  return html`
    <table class="differences">
      <thead>
        <tr><td></td><th scope="col">${text('conflict.here')}</th><th scope="col">${text('conflict.there')}</th></tr>
      </thead>
      <tbody>
        ${fields.map(field => html`
          <tr key=${field}>
            <th scope="row">${fieldText(field)}</th>
            <td dir="auto">${valueText(field, mine[field])}</td>
            <td dir="auto">${valueText(field, theirs[field])}</td>
          </tr>`)}
      </tbody>
    </table>`;
}

/**
 * Returns the value of a field as text.
 * @param {string} field
 * @param {unknown} value
 */
function valueText(field, value) {
  if (value === null || value === undefined || value === '') return text('value.none');
  if (field === 'days') return scheduleText({ days: value });
  if (field === 'day' || field === 'start' || field === 'end') return dayText(String(value), { dateStyle: 'medium' });
  if (typeof value === 'number') return numberText(value);
  if (field === 'outcome') return outcomeText(String(value));
  return typeof value === 'object' ? text('value.present') : String(value);
}

/** @param {string} outcome */
function outcomeText(outcome) {
  const key = `outcome.${outcome}`;
  return hasText(key) ? text(key) : outcome;
}
