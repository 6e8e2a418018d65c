import { Sheet } from '../../components/Sheet.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';

/**
 * Confirms that a user is blocked.
 * @param {{ name: string, onBlock: () => void, onClose: () => void }} properties
 */
export function BlockSheet({ name, onBlock, onClose }) {
  return html`
    <${Sheet} title=${text('people.blockTitle', { name })} onClose=${onClose}>
      <p>${text('people.blockText')}</p>
      <div class="actions form-actions">
        <button type="button" class="button" onClick=${onClose}>${text('form.cancel')}</button>
        <button type="button" class="button is-alarming" onClick=${onBlock}>${text('people.block')}</button>
      </div>
    <//>`;
}
