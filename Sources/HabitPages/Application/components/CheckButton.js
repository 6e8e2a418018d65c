import { html } from '../library.js';

/**
 * The circle of a habit, 60 pixels wide. A tap or the space key checks it.
 * @param {object} properties
 * @param {string} properties.id unique in the page
 * @param {boolean} properties.isChecked
 * @param {boolean} [properties.isSkipped]
 * @param {boolean} [properties.isDisabled]
 * @param {string} properties.label the name of the button, such as the title of a habit
 * @param {() => void} properties.onToggle
 */
export function CheckButton({ id, isChecked, isSkipped = false, isDisabled = false, label, onToggle }) {
  const state = isChecked ? 'is-done' : isSkipped ? 'is-skipped' : 'is-open';
  return html`
    <button id=${id} type="button" role="checkbox" class=${`check ${state}`} aria-label=${label}
      aria-checked=${String(isChecked)} aria-disabled=${isDisabled ? 'true' : undefined}
      onClick=${isDisabled ? undefined : onToggle}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="16" cy="16" r="14" />
        ${isChecked && html`<path d="m9.5 16.5 4.5 4.5 8.5-9.5" />`}
        ${isSkipped && html`<path d="M10.5 16h11" />`}
      </svg>
    </button>`;
}
