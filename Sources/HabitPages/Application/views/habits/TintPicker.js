import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { TINTS } from './habitFields.js';

/**
 * The colors of habits as radio buttons.
 * @param {{ tint: number | null, onChange: (tint: number | null) => void }} properties
 */
export function TintPicker({ tint, onChange }) {
  const options = [null, ...TINTS];
  return html`
    <fieldset class="field tint-picker">
      <legend>${text('form.color')}</legend>
      <div>
        ${options.map(option => html`
          <label key=${option} class=${`habit-tint-${option ?? 'none'}`}>
            <input type="radio" name="tint" checked=${option === tint} onChange=${() => onChange(option)}
              aria-label=${option === null ? text('form.noColor') : text('form.colorName', { number: option })} />
          </label>`)}
      </div>
    </fieldset>`;
}
