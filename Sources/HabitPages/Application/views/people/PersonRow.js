import { html } from '../../library.js';
import { address } from '../../root.js';
import { firstCharacter } from '../../texts/characters.js';
import { personPath } from './personPath.js';

/**
 * A user in a list, with notes below the name and buttons at the end. The name leads to the view of the user.
 * @param {object} properties
 * @param {string} [properties.user] the ID; without it, the user has no view
 * @param {string} properties.name
 * @param {import('preact-htm').Content} [properties.notes]
 * @param {import('preact-htm').Content} [properties.children]
 */
export function PersonRow({ user, name, notes, children }) {
  return html`
    <div class="person-row">
      <span class="face" aria-hidden="true">${firstCharacter(name)}</span>
      <span class="list-text">
        ${user ? html`<a class="row-title" dir="auto" href=${address(personPath(user))}>${name}</a>`
          : html`<span class="row-title" dir="auto">${name}</span>`}
        ${notes && html`<span class="row-notes">${notes}</span>`}
      </span>
      <div class="actions">${children}</div>
    </div>`;
}
