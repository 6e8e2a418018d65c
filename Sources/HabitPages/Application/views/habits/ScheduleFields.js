import { Choice } from '../../components/Choice.js';
import { Field } from '../../components/Field.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { WeekdayPicker } from './WeekdayPicker.js';

/** @typedef {import('./habitFields.js').HabitFields} HabitFields */

/**
 * The schedule of a habit: weekdays, or a number of times in a number of days.
 * @param {object} properties
 * @param {HabitFields} properties.form
 * @param {(changes: Partial<HabitFields>) => void} properties.onChange
 * @param {(field: keyof HabitFields) => string | undefined} properties.problemOf
 */
export function ScheduleFields({ form, onChange, problemOf }) {
  const options = [
    { value: 'days', label: text('form.repeatDays') },
    { value: 'times', label: text('form.repeatTimes') },
  ];
  const setRepeat = (/** @type {string} */ repeat) => onChange({ repeat: repeat === 'times' ? 'times' : 'days' });
  return html`
    <${Choice} name="repeat" legend=${text('form.repeat')} options=${options} value=${form.repeat}
      onChange=${setRepeat} />
    ${form.repeat === 'days' && html`
      <${WeekdayPicker} days=${form.days} problem=${problemOf('days')}
        onChange=${(/** @type {string[]} */ days) => onChange({ days })} />`}
    ${form.repeat === 'times' && html`
      <div class="field-pair">
        <${Field} id="times" label=${text('form.times')} value=${form.times} problem=${problemOf('times')}
          attributes=${{ inputmode: 'numeric' }} onInput=${(/** @type {string} */ times) => onChange({ times })} />
        <${Field} id="period-days" label=${text('form.periodDays')} value=${form.periodDays}
          problem=${problemOf('periodDays')} attributes=${{ inputmode: 'numeric' }}
          onInput=${(/** @type {string} */ periodDays) => onChange({ periodDays })} />
      </div>`}`;
}
