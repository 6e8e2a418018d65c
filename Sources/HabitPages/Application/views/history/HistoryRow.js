import { HabitBadge } from '../../components/HabitBadge.js';
import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { listDayText, numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

/** @typedef {import('../../texts/text.js').TextKey} TextKey */

/**
 * An event as the history shows it.
 * @typedef {object} HistoryEntry
 * @property {string} id
 * @property {Readonly<Record<string, any>>} properties the properties of the event
 * @property {unknown} [geometry]
 * @property {true} [waiting]
 */

/**
 * An event in a list. It leads to the sheet of the event.
 * @param {object} properties
 * @param {HistoryEntry} properties.event
 * @param {Readonly<Record<string, any>>} properties.habit the properties of the habit
 * @param {string} [properties.userName] the name of another user who has recorded the event
 * @param {string} properties.today
 * @param {boolean} [properties.isCopied] whether the copy has the event; if not, the page of the server shows it
 */
export function HistoryRow({ event, habit, userName, today, isCopied = true }) {
  const { amount, comment, day, outcome } = event.properties;
  const path = isCopied ? 'events' : 'collections/events/items';
  return html`
    <a class="list-row" href=${address(`${path}/${encodeURIComponent(event.id)}`)}>
      <${HabitBadge} habit=${habit} />
      <span class="list-text">
        <span class="row-title" dir="auto">${habit.title}</span>
        <span class="row-notes">
          ${userName && html`<span dir="auto">${text('history.user', { name: userName })}</span>`}
          ${outcome !== 'done' && html`<span>${text(/** @type {TextKey} */ (`outcome.${outcome}`))}</span>`}
          ${amount !== null && amount !== undefined && html`<span>${numberText(amount)} ${habit.unit ?? ''}</span>`}
          ${comment && html`<span dir="auto">“${comment}”</span>`}
          ${event.waiting && html`<span>${text('state.waiting')}</span>`}
        </span>
      </span>
      ${event.geometry && html`
        <span class="soft"><${Icon} name="place" /><span class="unseen">${text('history.located')}</span></span>`}
      <time class="soft" datetime=${day}>${listDayText(day, today)}</time>
    </a>`;
}
