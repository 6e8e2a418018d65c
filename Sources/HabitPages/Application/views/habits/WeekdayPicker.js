import { html } from '../../library.js';
import { WEEKDAYS, weekdayText } from '../../texts/schedule.js';
import { text } from '../../texts/text.js';

/**
 * The weekdays as buttons that are on or off.
 * @param {object} properties
 * @param {readonly string[]} properties.days the names of the chosen weekdays, such as `mon`
 * @param {(days: string[]) => void} properties.onChange
 * @param {string} [properties.problem]
 */
export function WeekdayPicker({ days, onChange, problem }) {
  const toggle = (/** @type {string} */ name) =>
    onChange(days.includes(name) ? days.filter(day => day !== name) : [...days, name]);
  return html`
    <div class="field" role="group" aria-label=${text('field.days')}
      aria-describedby=${problem ? 'days-problem' : undefined}>
      <div class="weekday-picker">
        ${WEEKDAYS.map((name, index) => html`
          <button type="button" key=${name} aria-pressed=${String(days.includes(name))}
            aria-label=${weekdayText(index, 'long')} onClick=${() => toggle(name)}>
            ${weekdayText(index, 'narrow')}
          </button>`)}
      </div>
      ${problem && html`<p id="days-problem" class="field-problem" role="alert">${problem}</p>`}
    </div>`;
}
