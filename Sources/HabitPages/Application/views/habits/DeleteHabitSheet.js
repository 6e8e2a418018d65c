import { Sheet } from '../../components/Sheet.js';
import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { navigate } from '../../routes.js';
import { text } from '../../texts/text.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * Confirms that a habit is deleted with its events.
 * @param {{ store: StoreInterface, habit: Visible, eventCount: number, onClose: () => void }} properties
 */
export function DeleteHabitSheet({ store, habit, eventCount, onClose }) {
  const { title } = habit.properties;
  const showToast = useToast();
  const remove = async () => {
    onClose();
    navigate('habits', { replace: true });
    const onUndo = await store.remove('habits', habit.id);
    showToast({ text: text('habit.deleted', { title }), onUndo });
  };
  return html`
    <${Sheet} title=${text('habit.deleteTitle', { title })} onClose=${onClose}>
      <p>${text('habit.deleteText', { count: eventCount })}</p>
      <div class="actions form-actions">
        <button type="button" class="button" onClick=${onClose}>${text('form.cancel')}</button>
        <button type="button" class="button is-alarming" onClick=${remove}>${text('habit.deleteNow')}</button>
      </div>
    <//>`;
}
