import { Field } from '../../components/Field.js';
import { html, useEffect, useRef, useState } from '../../library.js';
import { problemText } from '../../texts/problems.js';
import { text } from '../../texts/text.js';
import { problemsOf, STANDARD_LIMITS } from './habitChecks.js';
import { refusedField } from './refusedField.js';
import { ScheduleFields } from './ScheduleFields.js';
import { TintPicker } from './TintPicker.js';

/** @typedef {import('./habitFields.js').HabitFields} HabitFields */
/** @typedef {import('../../store/types').Problem} Problem */

/**
 * The fields of a habit. Problems appear at their fields as soon as the person has tried to save.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {HabitFields} properties.initial
 * @param {Problem} [properties.refusal] why the server has refused the habit
 * @param {readonly string[]} properties.takenTitles
 * @param {boolean} properties.isNew
 * @param {(form: HabitFields, opened: HabitFields) => Promise<void>} properties.onSave gets the
 *   fields, and those that the form had when it was opened
 */
export function HabitForm({ store, initial, refusal, takenTitles, isNew, onSave }) {
  const [opened] = useState(initial);
  const [form, setForm] = useState(opened);
  const [attempts, setAttempts] = useState(0);
  // A second tap, while the first one is being saved, would create another habit.
  const isSaving = useRef(false);
  const element = useRef(/** @type {HTMLFormElement | null} */ (null));
  const limits = { ...STANDARD_LIMITS, ...store.state.settings.text_limits };
  const problems = problemsOf(form, limits, takenTitles);
  const change = (/** @type {Partial<HabitFields>} */ changes) => setForm(current => ({ ...current, ...changes }));
  const setter = (/** @type {keyof HabitFields} */ name) => (/** @type {string} */ value) => change({ [name]: value });
  const problemOf = (/** @type {keyof HabitFields} */ name) => {
    const problem = problems[name];
    if (attempts > 0 && problem) return problemText(problem.slug, problem.parameters);
    const isRefused = refusal && refusedField(refusal) === name && form[name] === initial[name];
    return isRefused ? problemText(refusal.slug, refusal.parameters) : undefined;
  };
  useEffect(() => {
    const invalid = element.current?.querySelector('[aria-invalid="true"], [aria-describedby="days-problem"] button');
    if (attempts > 0 && invalid instanceof HTMLElement) invalid.focus();
  }, [attempts]);
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (isSaving.current || Object.keys(problems).length > 0) return;
    isSaving.current = true;
    await onSave(form, opened);
    isSaving.current = false;
  };
  return html`
    <form ref=${element} class="form card" onSubmit=${save} novalidate>
      <${Field} id="habit-title" label=${text('field.title')} value=${form.title} onInput=${setter('title')}
        limit=${limits.title} problem=${problemOf('title')} />
      <${Field} id="reason" label=${text('field.reason')} value=${form.reason} onInput=${setter('reason')}
        limit=${limits.reason} hint=${text('field.optional')} problem=${problemOf('reason')} />
      <${ScheduleFields} form=${form} onChange=${change} problemOf=${problemOf} />
      ${!isNew && html`<p class="soft">${text('form.scheduleNote')}</p>`}
      <div class="field-pair">
        <${Field} id="target-amount" label=${text('form.targetAmount')} value=${form.targetAmount}
          onInput=${setter('targetAmount')} hint=${text('field.optional')} problem=${problemOf('targetAmount')}
          attributes=${{ inputmode: 'decimal' }} />
        <${Field} id="unit" label=${text('form.unit')} value=${form.unit} onInput=${setter('unit')}
          hint=${text('form.unitHint')} problem=${problemOf('unit')} />
      </div>
      <div class="field-pair">
        <${Field} id="start" label=${text('field.start')} value=${form.start} onInput=${setter('start')}
          problem=${problemOf('start')} attributes=${{ type: 'date' }} />
        <${Field} id="end" label=${text('field.end')} value=${form.end} onInput=${setter('end')}
          hint=${text('field.optional')} problem=${problemOf('end')} attributes=${{ type: 'date' }} />
      </div>
      <div class="field-pair">
        <${Field} id="remind-at" label=${text('form.remindAt')} value=${form.remindAt} onInput=${setter('remindAt')}
          hint=${text('form.remindHint')} problem=${problemOf('remindAt')} attributes=${{ type: 'time' }} />
        <${Field} id="symbol" label=${text('form.symbol')} value=${form.symbol} onInput=${setter('symbol')}
          hint=${text('form.symbolHint')} problem=${problemOf('symbol')} />
      </div>
      <${TintPicker} tint=${form.tint} onChange=${(/** @type {number | null} */ tint) => change({ tint })} />
      <div class="actions form-actions">
        <button type="button" class="button" onClick=${() => history.back()}>${text('form.cancel')}</button>
        <button type="submit" class="button is-primary">${text('action.save')}</button>
      </div>
    </form>`;
}
