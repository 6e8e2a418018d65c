import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { dayEntry, isPlanned } from './eventDay.js';

/**
 * A note that an entry of a day does not count.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {string} properties.habit the ID of the habit
 * @param {string} properties.day
 */
export function PlanNote({ store, habit, day }) {
  const isUnplanned = !isPlanned(dayEntry(store, habit, day));
  return html`<p class="soft" role="status">${isUnplanned ? text('event.unplanned') : ''}</p>`;
}
