import { html } from '../library.js';
import { text } from '../texts/text.js';
import { Icon } from './Icon.js';

/**
 * A number with buttons that change it by one step.
 * @param {object} properties
 * @param {string} properties.id
 * @param {string} properties.label
 * @param {string} properties.value the text of the field, since a person can be in the middle of a number
 * @param {string} [properties.unit]
 * @param {string} [properties.problem]
 * @param {(value: string) => void} properties.onInput
 */
export function Stepper({ id, label, value, unit = '', problem, onInput }) {
  const number = Number(value) || 0;
  const input = (/** @type {{ currentTarget: HTMLInputElement }} */ event) => onInput(event.currentTarget.value);
  const step = (/** @type {number} */ change) => onInput(String(Math.max(0, number + change)));
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="stepper">
        <button type="button" class="icon-button" aria-label=${text('amount.less')} onClick=${() => step(-1)}>
          <${Icon} name="remove" />
        </button>
        <input id=${id} type="text" inputmode="decimal" autocomplete="off" value=${value} onInput=${input}
          aria-invalid=${problem ? 'true' : undefined} aria-describedby=${problem ? `${id}-problem` : undefined} />
        <button type="button" class="icon-button" aria-label=${text('amount.more')} onClick=${() => step(1)}>
          <${Icon} name="add" />
        </button>
        ${unit && html`<span dir="auto">${unit}</span>`}
      </div>
      ${problem && html`<p id=${`${id}-problem`} class="field-problem" role="alert">${problem}</p>`}
    </div>`;
}
