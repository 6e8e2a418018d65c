import { html } from '../library.js';
import { characterCount } from '../texts/characters.js';
import { numberText } from '../texts/formats.js';
import { text } from '../texts/text.js';

/**
 * A text field with its label, its problem, and the number of characters that are left.
 * @param {object} properties
 * @param {string} properties.id unique in the page
 * @param {string} properties.label
 * @param {string} properties.value
 * @param {(value: string) => void} properties.onInput
 * @param {number} [properties.limit] the greatest number of characters; a longer text stays and is marked
 * @param {string} [properties.hint]
 * @param {string} [properties.problem]
 * @param {Record<string, unknown>} [properties.attributes] further attributes of the input element
 */
export function Field({ id, label, value, onInput, limit, hint, problem, attributes = {} }) {
  const left = limit === undefined ? undefined : limit - characterCount(value.trim());
  const isTooLong = left !== undefined && left < 0;
  const message = problem ?? (isTooLong ? text('field.tooLong', { count: -left }) : undefined);
  const input = (/** @type {{ currentTarget: HTMLInputElement }} */ event) => onInput(event.currentTarget.value);
  const notes = [message && `${id}-problem`, `${id}-notes`].filter(Boolean).join(' ');
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} value=${value} dir="auto" autocomplete="off" aria-describedby=${notes}
        aria-invalid=${message ? 'true' : undefined}
        onInput=${input} ...${attributes} />
      ${message && html`<p id=${`${id}-problem`} class="field-problem" role="alert">${message}</p>`}
      <p id=${`${id}-notes`} class="field-notes">
        <span>${hint ?? ''}</span>
        ${left !== undefined && !isTooLong && html`<span>${text('field.left', { count: numberText(left) })}</span>`}
      </p>
    </div>`;
}
