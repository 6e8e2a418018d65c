import { html } from '../../library.js';
import { text } from '../../texts/text.js';

/**
 * A button of a user. Its name contains the user, so that each button of a list has its own name for screen readers.
 * @param {object} properties
 * @param {string} properties.label
 * @param {string} properties.name the name of the user
 * @param {string} [properties.style] further classes
 * @param {boolean} [properties.isDisabled]
 * @param {() => void} properties.onTap
 */
export function PersonButton({ label, name, style = '', isDisabled = false, onTap }) {
  return html`
    <button type="button" class=${`button ${style}`} disabled=${isDisabled}
      aria-label=${text('people.actionFor', { action: label, name })} onClick=${onTap}>${label}</button>`;
}
