import { html } from '../../library.js';
import { useToast } from '../../components/Toast.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { lastDayOfPause, openPauses, pauseText } from './pauses.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The pauses of a habit that have not ended, each with a button that ends it.
 * @param {{ store: StoreInterface, habit: string }} properties
 */
export function PauseNotes({ store, habit }) {
  const { account, today } = useStore(store, ({ state }) => state);
  const records = useStore(store, current => current.records('pauses'));
  const showToast = useToast();
  const resume = async (/** @type {Visible} */ pause) => {
    const onUndo = await endPause(store, pause, today);
    showToast({ text: text('pause.resumed'), onUndo });
  };
  return openPauses(records, habit, account.id, today).map(pause => html`
    <p key=${pause.id} class="pause-note">
      <span>${pauseText(pause.properties, today)}${!pause.properties.habit && ` · ${text('pause.allNote')}`}</span>
      <button type="button" class="button" onClick=${() => resume(pause)}>
        ${text(pause.properties.from > today ? 'pause.cancel' : 'pause.resume')}
      </button>
    </p>`);
}

/**
 * Ends a pause before the current day, and deletes a pause of which no day is over.
 * @param {StoreInterface} store
 * @param {Visible} pause
 * @param {string} today
 * @returns {Promise<() => void>} a function that brings the pause back
 */
async function endPause(store, pause, today) {
  const to = lastDayOfPause(pause.properties, today);
  if (!to) return store.remove('pauses', pause.id);
  const former = pause.properties.to ?? null;
  await store.save('pauses', pause.id, { to });
  return () => store.save('pauses', pause.id, { to: former });
}
