import { html } from '../../library.js';
import { address } from '../../root.js';
import { text } from '../../texts/text.js';
import { newestFirst } from '../history/historyFilter.js';
import { HistoryRow } from '../history/HistoryRow.js';

/** @typedef {import('../../store/types').Visible} Visible */

const SHOWN = 10;

/**
 * The newest events of a habit, with a link to all of them.
 * @param {{ habit: Visible, events: readonly Visible[], today: string }} properties
 */
export function HabitHistory({ habit, events, today }) {
  const newest = [...events].sort(newestFirst).slice(0, SHOWN);
  return html`
    <section class="habit-section">
      <div class="section-head">
        <h2>${text('nav.history')}</h2>
        ${events.length > SHOWN && html`
          <a href=${address(`history?${new URLSearchParams({ habit: habit.id })}`)}>${text('habit.wholeHistory')}</a>`}
      </div>
      ${newest.length ? html`
        <ul class="card list">
          ${newest.map(event => html`
            <li key=${event.id}><${HistoryRow} event=${event} habit=${habit.properties} today=${today} /></li>`)}
        </ul>` : html`<p class="soft">${text('history.emptyMine')}</p>`}
    </section>`;
}
