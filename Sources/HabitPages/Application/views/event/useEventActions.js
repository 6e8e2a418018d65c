import { useToast } from '../../components/Toast.js';
import { useRef, useState } from '../../library.js';
import { PhotoUnavailable } from '../../store/photos.js';
import { longDayText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { fieldsOf } from './eventDraft.js';
import { saveEvent } from './saveEvent.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('./eventDraft.js').Draft} Draft */

/**
 * Returns the functions that save and delete an event and close the sheet. `losesPhoto` is true after a save that would
 * lose the photo of the event. The person can then save without the photo, or wait for a connection.
 * @param {object} options
 * @param {StoreInterface} options.store
 * @param {Visible} options.habit
 * @param {Visible | undefined} options.event
 * @param {string} options.day
 * @param {Draft | undefined} options.opened the draft when the form was opened, or `undefined` if it had no event then
 * @param {() => void} options.onClose
 */
export function useEventActions({ store, habit, event, day, opened, onClose }) {
  const showToast = useToast();
  const [losesPhoto, setLosesPhoto] = useState(false);
  // A second tap on a button, while the first one is being saved, changes nothing.
  const isEnded = useRef(false);
  const { title } = habit.properties;

  /** @param {() => Promise<void>} action */
  const once = async action => {
    if (isEnded.current) return;
    isEnded.current = true;
    try {
      await action();
    } catch (error) {
      isEnded.current = false;
      if (error instanceof PhotoUnavailable) setLosesPhoto(true);
      else showToast({ text: text('event.notStored') });
    }
  };
  const save = (/** @type {Draft} */ draft, /** @type {{ dropsPhoto?: boolean }} */ options = {}) => once(async () => {
    const fields = fieldsOf(draft, { event, habit: habit.id, day, opened });
    const onSaved = () => {
      onClose();
      if (fields.day && event) showToast({ text: text('event.moved', { title, day: longDayText(fields.day) }) });
    };
    await saveEvent(store, { event, fields, photo: draft.photo, ...options, onSaved, showToast });
  });
  const remove = (/** @type {Visible} */ { id }) => once(async () => {
    const onUndo = await store.remove('events', id);
    onClose();
    showToast({ text: text('today.removed', { title }), onUndo });
  });
  return { save, remove, losesPhoto };
}
