import { html } from '../../library.js';
import { text } from '../../texts/text.js';

/** @typedef {{ id: string, title: string, userName?: string }} HabitOption */

/**
 * The habits of the filter as check boxes. No checked box stands for all habits.
 * @param {object} properties
 * @param {readonly HabitOption[]} properties.options
 * @param {readonly string[]} properties.chosen the IDs of the checked habits
 * @param {(chosen: string[]) => void} properties.onChange
 */
export function HabitChoice({ options, chosen, onChange }) {
  const toggle = (/** @type {string} */ id) =>
    onChange(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id]);
  return html`
    <fieldset class="habit-choice">
      <legend>${text('nav.habits')}</legend>
      <ul>
        ${options.map(({ id, title, userName }) => html`
          <li key=${id}>
            <label class="check-line">
              <input type="checkbox" checked=${chosen.includes(id)} onChange=${() => toggle(id)} />
              <span dir="auto">${title}</span>
              ${userName && html`<span class="soft" dir="auto">${userName}</span>`}
            </label>
          </li>`)}
      </ul>
    </fieldset>`;
}
