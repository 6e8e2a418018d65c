import { html } from '../library.js';
import { text } from '../texts/text.js';

// Each status has a form in addition to its color: disc, half disc, diamond, dot.
const FORMS = {
  'On track': { style: 'on-track', key: 'status.onTrack', path: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z' },
  'Near goal': { style: 'near-goal', key: 'status.nearGoal', path: 'M8 1a7 7 0 0 1 0 14Z' },
  'Inactive': { style: 'inactive', key: 'status.inactive', path: 'M8 1 15 8 8 15 1 8Z' },
  'New': { style: 'new', key: 'status.new', path: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z' },
};

/** @typedef {keyof typeof FORMS} StatusName */

/**
 * The status of a habit as form, color and word.
 * @param {{ name: string }} properties `name` is a status of the server; others are not shown
 */
export function Status({ name }) {
  if (!(name in FORMS)) return null;
  const { style, key, path } = FORMS[/** @type {StatusName} */ (name)];
  const word = text(/** @type {import('../texts/text.js').TextKey} */ (key));
  return html`
    <span class=${`status status-${style}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        ${name === 'Near goal' && html`<circle cx="8" cy="8" r="6.4" />`}
        <path d=${path} />
      </svg>${word}
    </span>`;
}
