import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { FollowedHabits } from './FollowedHabits.js';
import { endFollow } from './follows.js';
import { PersonButton } from './PersonButton.js';
import { PersonRow } from './PersonRow.js';
import { useStatuses } from './useStatuses.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./relations.js').PersonRelation} PersonRelation */

/**
 * The users whom the person follows, with their habits.
 * @param {object} properties
 * @param {StoreInterface} properties.store
 * @param {readonly PersonRelation[]} properties.relations
 * @param {(user: string) => string} properties.nameOf
 */
export function Following({ store, relations, nameOf }) {
  const habits = useStore(store, current => current.records('habits'));
  const statuses = useStatuses(store);
  const habitsOf = (/** @type {string} */ user) => habits.filter(({ properties }) => properties.user === user);
  const showToast = useToast();
  const end = async (/** @type {string} */ user) => {
    const onUndo = await endFollow(store, user);
    showToast({ text: text('people.unfollowed', { name: nameOf(user) }), onUndo });
  };
  return html`
    <section aria-labelledby="following-title">
      <div class="section-head">
        <h2 id="following-title">${text('people.following', { count: relations.length })}</h2>
      </div>
      ${relations.length ? html`
        <ul class="card person-list">
          ${relations.map(({ id, granted }) => html`
            <li key=${id}>
              <${PersonRow} user=${id} name=${nameOf(id)} notes=${grantText(granted)}>
                <${PersonButton} label=${text('people.unfollow')} name=${nameOf(id)} onTap=${() => end(id)} />
              <//>
              <${FollowedHabits} habits=${habitsOf(id)} statuses=${statuses} />
            </li>`)}
        </ul>` : html`<p class="soft">${text('people.followingNone')}</p>`}
    </section>`;
}

/**
 * Returns what a followed user shows, in words.
 * @param {string} granted
 */
function grantText(granted) {
  return text(granted === 'latest' ? 'people.grantedLatest' : 'people.grantedAll');
}
