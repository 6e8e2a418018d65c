import { html } from '../library.js';

/** @typedef {{ value: string, label: string }} Option */

/**
 * A choice of one of a few values, as radio buttons in one line.
 * @param {object} properties
 * @param {string} properties.name unique in the page
 * @param {string} properties.legend
 * @param {Option[]} properties.options
 * @param {string} properties.value
 * @param {(value: string) => void} properties.onChange
 */
export function Choice({ name, legend, options, value, onChange }) {
  return html`
    <fieldset class="choice">
      <legend>${legend}</legend>
      <div>
        ${options.map(option => html`
          <label key=${option.value}>
            <input type="radio" name=${name} value=${option.value} checked=${option.value === value}
              onChange=${() => onChange(option.value)} />
            <span>${option.label}</span>
          </label>`)}
      </div>
    </fieldset>`;
}
