import { Empty } from '../../components/Empty.js';
import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { isPlanned } from '../event/eventDay.js';
import { dayList, dayProgress } from './dayList.js';
import { HabitRow } from './HabitRow.js';
import { moveInList } from './listKeys.js';

/**
 * The habits of a day: those that are due, and the others in a fold.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {import('../../store/types').Days} properties.days
 * @param {string} properties.day
 */
export function ToDo({ store, days, day }) {
  const { due, rest } = dayList(store, days, day);
  const progress = dayProgress(days, day);
  const counts = { done: numberText(progress.done), due: numberText(progress.due) };
  const rows = (/** @type {import('./dayList.js').Row[]} */ list) => html`
    <ul class="cards" onKeyDown=${moveInList}>
      ${list.map(row => html`<${HabitRow} key=${row.habit.id} store=${store} row=${row} day=${day} />`)}
    </ul>`;
  return html`
    <section class="to-do" aria-labelledby="to-do-title">
      <div class="section-head">
        <h2 id="to-do-title">${text('today.toDo')}</h2>
        ${progress.due > 0 && html`<span class="soft">${text('today.progress', counts)}</span>`}
      </div>
      ${due.length > 0 ? rows(due) : html`<${Empty} title=${text('today.nothingDue')} />`}
    </section>
    ${rest.length > 0 && html`
      <details class="fold">
        <summary><h2>${text('today.notDue', { count: numberText(rest.length) })}</h2><${Icon} name="down" /></summary>
        ${rest.some(({ entry }) => !isPlanned(entry)) && html`<p class="soft">${text('today.unplannedHint')}</p>`}
        ${rows(rest)}
      </details>`}`;
}
