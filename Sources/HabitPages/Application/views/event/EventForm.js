import { Choice } from '../../components/Choice.js';
import { Field } from '../../components/Field.js';
import { Icon } from '../../components/Icon.js';
import { Stepper } from '../../components/Stepper.js';
import { html, useState } from '../../library.js';
import { problemText } from '../../texts/problems.js';
import { text } from '../../texts/text.js';
import { DayField } from './DayField.js';
import { dayProblem } from './eventDay.js';
import { draftOf, problemsOf } from './eventDraft.js';
import { PhotoPicker } from './PhotoPicker.js';
import { PhotoPositionOffer } from './PhotoPositionOffer.js';
import { PlacePicker } from './PlacePicker.js';
import { PlanNote } from './PlanNote.js';
import { useEventActions } from './useEventActions.js';

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
  const [draft, setDraft] = useState(() => draftOf(event, habit.properties));
  const [opened] = useState(event && draft);
  const { save, remove, losesPhoto } = useEventActions({ store, habit, event, day, opened, onClose });
  const change = (/** @type {Partial<Draft>} */ part) => setDraft(current => ({ ...current, ...part }));
  const { settings, account, today } = store.state;
  const limit = settings.text_limits?.comment ?? COMMENT_LIMIT;
  const isMoved = event && opened && draft.day !== opened.day;
  const problemOfDay = isMoved ? dayProblem(store, { habit, event, day: draft.day }) : undefined;
  const problems = { ...problemsOf(draft, limit), day: problemOfDay };
  const isValid = Object.values(problems).every(problem => problem === undefined);
  const { target_amount: target, unit } = habit.properties;
  const problem = event?.problem;
  const submit = (/** @type {Event} */ submission) => {
    submission.preventDefault();
    if (isValid) void save(draft);
  };

  return html`
    <form class="event-form" onSubmit=${submit} novalidate>
      ${problem && html`<p class="field-problem" role="alert">${problemText(problem.slug, problem.parameters)}</p>`}
      <${PlanNote} store=${store} habit=${habit.id} day=${isMoved && !problemOfDay ? draft.day : day} />
      <${PhotoPicker} address=${event ? store.photoAddress(event, 1080) : null} photo=${draft.photo}
        onPick=${(/** @type {Draft['photo']} */ photo) => change({ photo })} />
      ${account.share_location !== false && html`<${PhotoPositionOffer} draft=${draft} onChange=${change} />`}
      <${Field} id="event-comment" label=${text('field.comment')} hint=${text('field.optional')} value=${draft.comment}
        limit=${limit} onInput=${(/** @type {string} */ comment) => change({ comment })}
        attributes=${{ enterkeyhint: 'done' }} />
      ${hasAmount(habit, event) && html`
        <${Stepper} id="event-amount" label=${amountLabel(target, unit)} unit=${unit ?? ''} value=${draft.amount}
          problem=${problems.amount} onInput=${(/** @type {string} */ amount) => change({ amount })} />`}
      <${PlacePicker} store=${store} event=${event?.id} draft=${draft} onChange=${change} />
      <${Choice} name="event-outcome" legend=${text('field.outcome')} value=${draft.outcome} options=${outcomes()}
        onChange=${(/** @type {string} */ outcome) => change({ outcome: /** @type {Draft['outcome']} */ (outcome) })} />
      ${event && opened && html`
        <${DayField} habit=${habit} today=${today} value=${draft.day} problem=${problemOfDay}
          onInput=${(/** @type {string} */ next) => change({ day: next })} />`}
      ${losesPhoto && html`
        <div class="note" role="alert">
          <p>${text('photo.wouldBeLost')}</p>
          <button type="button" class="button" onClick=${() => save(draft, { dropsPhoto: true })}>
            ${text('photo.saveWithout')}
          </button>
        </div>`}
      <div class="actions sheet-actions">
        ${event && html`
          <button type="button" class="button is-alarming" onClick=${() => remove(event)}>
            <${Icon} name="trash" />${text('action.delete')}
          </button>`}
        <button class="button is-primary" disabled=${!isValid}>${text('action.save')}</button>
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
