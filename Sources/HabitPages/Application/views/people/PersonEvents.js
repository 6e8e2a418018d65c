import { html } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { newestFirst } from '../history/historyFilter.js';
import { HistoryRow } from '../history/HistoryRow.js';

const SHOWN = 10;

/**
 * The newest events of a user that the person can see.
 * @param {{ store: import('../../store/types').StoreInterface, user: string }} properties
 */
export function PersonEvents({ store, user }) {
  const { today } = useStore(store, ({ state }) => state);
  const events = useStore(store, current => current.records('events'));
  const ofUser = events.filter(({ properties }) => properties.user === user);
  const newest = ofUser.sort(newestFirst).slice(0, SHOWN);
  const habitOf = (/** @type {string} */ habit) => store.find('habits', habit)?.properties ?? {};
  return html`
    <section aria-labelledby="person-events-title">
      <div class="section-head"><h2 id="person-events-title">${text('person.events')}</h2></div>
      ${newest.length ? html`
        <ul class="card list">
          ${newest.map(event => html`
            <li key=${event.id}>
              <${HistoryRow} event=${event} habit=${habitOf(event.properties.habit)} today=${today} />
            </li>`)}
        </ul>` : html`<p class="soft">${text('person.eventsNone')}</p>`}
    </section>`;
}
