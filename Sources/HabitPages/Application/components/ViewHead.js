import { html } from '../library.js';

/** @typedef {import('preact-htm').Content} Content */

/**
 * The heading of a view, with its actions at the end of the line. A change of the view moves the focus to the heading.
 * @param {{ title: string, subtitle?: Content, children?: Content }} properties
 */
export function ViewHead({ title, subtitle, children }) {
  return html`
    <header class="view-head">
      <div>
        <h1 id="view-title" tabindex="-1" dir="auto">${title}</h1>
        ${subtitle && html`<p class="soft">${subtitle}</p>`}
      </div>
      ${children && html`<div class="view-actions">${children}</div>`}
    </header>`;
}
