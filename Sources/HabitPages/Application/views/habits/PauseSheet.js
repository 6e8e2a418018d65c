import { Field } from '../../components/Field.js';
import { Sheet } from '../../components/Sheet.js';
import { useToast } from '../../components/Toast.js';
import { html, useRef, useState } from '../../library.js';
import { text } from '../../texts/text.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The sheet that pauses a habit, or all habits of the person.
 * @param {{ store: StoreInterface, habit: Visible, onClose: () => void }} properties
 */
export function PauseSheet({ store, habit, onClose }) {
  const showToast = useToast();
  const [from, setFrom] = useState(store.state.today);
  const [to, setTo] = useState('');
  const [isForAll, setForAll] = useState(false);
  const [isChecked, setChecked] = useState(false);
  // A second tap, while the first one is being saved, would create another pause.
  const isSaving = useRef(false);
  const fromProblem = from ? undefined : text('problem.from-missing');
  const toProblem = to && to < from ? text('problem.end-before-start') : undefined;
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setChecked(true);
    if (fromProblem || toProblem || isSaving.current) return;
    isSaving.current = true;
    try {
      await store.save('pauses', null, { habit: isForAll ? null : habit.id, from, to: to || null });
      onClose();
    } catch {
      isSaving.current = false;
      showToast({ text: text('event.notStored') });
    }
  };
  return html`
    <${Sheet} title=${text('pause.title')} subtitle=${habit.properties.title} onClose=${onClose}>
      <form class="form" onSubmit=${save} novalidate>
        <div class="field-pair">
          <${Field} id="pause-from" label=${text('pause.from')} value=${from} onInput=${setFrom}
            problem=${isChecked ? fromProblem : undefined} attributes=${{ type: 'date' }} />
          <${Field} id="pause-to" label=${text('pause.to')} value=${to} onInput=${setTo} hint=${text('pause.toHint')}
            problem=${isChecked ? toProblem : undefined} attributes=${{ type: 'date', min: from }} />
        </div>
        <label class="check-line">
          <input type="checkbox" checked=${isForAll} onChange=${() => setForAll(!isForAll)} />
          <span>${text('pause.all')}</span>
        </label>
        <div class="actions form-actions">
          <button type="submit" class="button is-primary">${text('pause.title')}</button>
        </div>
      </form>
    <//>`;
}
