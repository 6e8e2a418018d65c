import { Choice } from '../../components/Choice.js';
import { Field } from '../../components/Field.js';
import { Icon } from '../../components/Icon.js';
import { Stepper } from '../../components/Stepper.js';
import { useToast } from '../../components/Toast.js';
import { html, useRef, useState } from '../../library.js';
import { problemText } from '../../texts/problems.js';
import { text } from '../../texts/text.js';
import { draftOf, fieldsOf, problemsOf } from './eventDraft.js';
import { PhotoPicker } from './PhotoPicker.js';
import { PlacePicker } from './PlacePicker.js';
import { savePhoto } from './savePhoto.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('./eventDraft.js').Draft} Draft */

const COMMENT_LIMIT = 20;

/**
 * The form of an own event.
 * @param {object} properties
 * @param {StoreInterface} properties.store
 * @param {Visible} properties.habit
 * @param {Visible | undefined} properties.event the event to change, or `undefined` for a new one
 * @param {string} properties.day
 * @param {() => void} properties.onClose
 */
export function EventForm({ store, habit, event, day, onClose }) {
  const showToast = useToast();
  const [draft, setDraft] = useState(() => draftOf(event, habit.properties));
  const [opened] = useState(event && draft);
  // A second tap on a button, while the first one is being saved, changes nothing.
  const isEnded = useRef(false);
  const change = (/** @type {Partial<Draft>} */ part) => setDraft(current => ({ ...current, ...part }));
  const { settings, account } = store.state;
  const limit = settings.text_limits?.comment ?? COMMENT_LIMIT;
  const problems = problemsOf(draft, limit);
  const { target_amount: target, unit } = habit.properties;
  const problem = event?.problem;

  const save = async (/** @type {Event} */ submit) => {
    submit.preventDefault();
    if (isEnded.current || Object.keys(problems).length > 0) return;
    isEnded.current = true;
    const fields = fieldsOf(draft, { event, habit: habit.id, day, opened });
    try {
      const id = await store.save('events', event?.id ?? null, fields);
      onClose();
      if (draft.photo !== undefined) await savePhoto(store, { id, photo: draft.photo, showToast });
    } catch {
      isEnded.current = false;
      showToast({ text: text('event.notStored') });
    }
  };
  const remove = async () => {
    if (!event || isEnded.current) return;
    isEnded.current = true;
    try {
      const onUndo = await store.remove('events', event.id);
      onClose();
      showToast({ text: text('today.removed', { title: habit.properties.title }), onUndo });
    } catch {
      isEnded.current = false;
      showToast({ text: text('event.notStored') });
    }
  };

  return html`
    <form class="event-form" onSubmit=${save} novalidate>
      ${problem && html`<p class="field-problem" role="alert">${problemText(problem.slug, problem.parameters)}</p>`}
      <${PhotoPicker} address=${event ? store.photoAddress(event, 1080) : null} photo=${draft.photo}
        onPick=${(/** @type {Draft['photo']} */ photo) => change({ photo })} />
      <${Field} id="event-comment" label=${text('field.comment')} hint=${text('field.optional')} value=${draft.comment}
        limit=${limit} onInput=${(/** @type {string} */ comment) => change({ comment })}
        attributes=${{ enterkeyhint: 'done' }} />
      ${hasAmount(habit, event) && html`
        <${Stepper} id="event-amount" label=${amountLabel(target, unit)} unit=${unit ?? ''} value=${draft.amount}
          problem=${problems.amount} onInput=${(/** @type {string} */ amount) => change({ amount })} />`}
      <${PlacePicker} geometry=${draft.geometry} isShared=${account.share_location !== false}
        onChange=${(/** @type {Draft['geometry']} */ geometry) => change({ geometry })} />
      <${Choice} name="event-outcome" legend=${text('field.outcome')} value=${draft.outcome} options=${outcomes()}
        onChange=${(/** @type {string} */ outcome) => change({ outcome: /** @type {Draft['outcome']} */ (outcome) })} />
      <div class="actions sheet-actions">
        ${event && html`
          <button type="button" class="button is-alarming" onClick=${remove}>
            <${Icon} name="trash" />${text('action.delete')}
          </button>`}
        <button class="button is-primary" disabled=${Object.keys(problems).length > 0}>${text('action.save')}</button>
      </div>
    </form>`;
}

function outcomes() {
  return [
    { value: 'done', label: text('outcome.done') },
    { value: 'skipped', label: text('outcome.skipped') },
  ];
}

/**
 * Whether the habit counts amounts, or the event already has one.
 * @param {Visible} habit
 * @param {Visible | undefined} event
 */
function hasAmount(habit, event) {
  const { target_amount: target, unit } = habit.properties;
  return Boolean(target || unit || event?.properties.amount);
}

/**
 * @param {number | null | undefined} target
 * @param {string | null | undefined} unit
 */
function amountLabel(target, unit) {
  if (!target) return text('field.amount');
  return text('amount.ofTarget', { target: unit ? `${target} ${unit}` : target });
}
