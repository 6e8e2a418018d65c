import { html } from '../../library.js';
import { address } from '../../root.js';
import { useStore } from '../../store/useStore.js';
import { listDayText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { personPath } from '../people/personPath.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

const SHOWN = 4;

/**
 * The newest events of the people whom the person follows.
 * @param {{ store: StoreInterface }} properties
 */
export function Friends({ store }) {
  const events = useStore(store, newestOfFriends);
  if (events.length === 0) return null;
  return html`
    <section aria-labelledby="friends-title">
      <div class="section-head"><h2 id="friends-title">${text('today.friends')}</h2></div>
      <ul class="card feed">
        ${events.map(event => html`<${FriendEvent} key=${event.id} store=${store} event=${event} />`)}
      </ul>
    </section>`;
}

/** @param {{ store: StoreInterface, event: Visible }} properties */
function FriendEvent({ store, event }) {
  const { user, habit, comment, day } = event.properties;
  const name = store.find('users', user)?.properties.name || user;
  const title = store.find('habits', habit)?.properties.title ?? '';
  return html`
    <li class="feed-row">
      <a class="feed-face" href=${address(personPath(user))} aria-label=${name}>
        <span class="face" aria-hidden="true">${[...name][0]}</span>
      </a>
      <a class="feed-event" href=${address(`events/${encodeURIComponent(event.id)}`)}>
        <span class="feed-text">
          <span><b dir="auto">${name}</b> · <span dir="auto">${title}</span></span>
          ${comment && html`<span class="soft" dir="auto">${comment}</span>`}
        </span>
        <time datetime=${day}>${listDayText(day, store.state.today)}</time>
      </a>
    </li>`;
}

/**
 * @param {StoreInterface} store
 * @returns {Visible[]}
 */
function newestOfFriends(store) {
  const me = store.state.account.id;
  // An event that the server does not have yet is without a user: it is an own one.
  const isOfFriend = (/** @type {Visible} */ { properties }) => {
    const { user, outcome } = properties;
    return user && user !== me && outcome !== 'skipped';
  };
  const events = store.records('events').filter(isOfFriend);
  return events.sort(compareTimes).slice(0, SHOWN);
}

/**
 * Orders events by day and time, newest first.
 * @param {Visible} first
 * @param {Visible} second
 */
function compareTimes(first, second) {
  const keyOf = (/** @type {Visible} */ { properties, id }) => `${properties.day} ${properties.at ?? ''} ${id}`;
  return keyOf(second).localeCompare(keyOf(first));
}
