import { html } from '../library.js';

/**
 * The content of a list without entries: why it is empty, and what one can do.
 * @param {{ title: string, children?: import('preact-htm').Content }} properties
 */
export function Empty({ title, children }) {
  return html`
    <div class="card empty">
      <p>${title}</p>
      ${children}
    </div>`;
}
