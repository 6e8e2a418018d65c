import { html } from '../../library.js';
import { firstCharacter } from '../../texts/characters.js';

/**
 * A user in a list, with notes below the name and buttons at the end.
 * @param {{ name: string, notes?: import('preact-htm').Content, children?: import('preact-htm').Content }} properties
 */
export function PersonRow({ name, notes, children }) {
  return html`
    <div class="person-row">
      <span class="face" aria-hidden="true">${firstCharacter(name)}</span>
      <span class="list-text">
        <span class="row-title" dir="auto">${name}</span>
        ${notes && html`<span class="row-notes">${notes}</span>`}
      </span>
      <div class="actions">${children}</div>
    </div>`;
}
