import { useToast } from '../../components/Toast.js';
import { html, useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { DeleteHabitSheet } from './DeleteHabitSheet.js';
import { hasEnded } from './ownHabits.js';
import { PauseSheet } from './PauseSheet.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The buttons that pause, end and delete a habit.
 * @param {{ store: StoreInterface, habit: Visible, eventCount: number }} properties
 */
export function HabitActions({ store, habit, eventCount }) {
  const [sheet, setSheet] = useState(/** @type {'pause' | 'delete' | undefined} */ (undefined));
  const showToast = useToast();
  const { today } = store.state;
  const { title } = habit.properties;
  const isEnded = hasEnded(habit, today) || habit.properties.end === today;
  const setEnd = async (/** @type {string | null} */ end) => {
    const former = habit.properties.end ?? null;
    await store.save('habits', habit.id, { end });
    const message = text(end ? 'habit.ended' : 'habit.restarted', { title });
    showToast({ text: message, onUndo: () => store.save('habits', habit.id, { end: former }) });
  };
  const close = () => setSheet(undefined);
  return html`
    <div class="actions habit-actions">
      ${!isEnded && html`
        <button type="button" class="button" onClick=${() => setSheet('pause')}>${text('habit.pause')}</button>`}
      <button type="button" class="button" onClick=${() => setEnd(isEnded ? null : today)}>
        ${text(isEnded ? 'habit.restart' : 'habit.end')}
      </button>
      <button type="button" class="button is-alarming" onClick=${() => setSheet('delete')}>
        ${text('habit.delete')}
      </button>
      ${sheet === 'pause' && html`<${PauseSheet} store=${store} habit=${habit} onClose=${close} />`}
      ${sheet === 'delete' && html`
        <${DeleteHabitSheet} store=${store} habit=${habit} eventCount=${eventCount} onClose=${close} />`}
    </div>`;
}
