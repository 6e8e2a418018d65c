import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { PersonButton } from './PersonButton.js';
import { PersonRow } from './PersonRow.js';

/**
 * The users whom the person blocks. Their names are hidden like everything else of them.
 * @param {{ users: readonly string[], onUnblock: (user: string) => void }} properties
 */
export function BlockedUsers({ users, onUnblock }) {
  if (!users.length) return null;
  return html`
    <details class="fold">
      <summary><h2>${text('people.blocked', { count: users.length })}</h2><${Icon} name="down" /></summary>
      <ul class="card person-list">
        ${users.map(user => html`
          <li key=${user}>
            <${PersonRow} name=${user}>
              <${PersonButton} label=${text('people.unblock')} name=${user} onTap=${() => onUnblock(user)} />
            <//>
          </li>`)}
      </ul>
    </details>`;
}
