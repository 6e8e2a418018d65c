import { Field } from '../../components/Field.js';
import { html, useState } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { FollowButton } from './FollowButton.js';
import { PersonButton } from './PersonButton.js';
import { PersonRow } from './PersonRow.js';
import { unrelated, usersMatching } from './relations.js';

const MOST_RESULTS = 20;

/**
 * The search for users by name and ID.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {ReadonlyMap<string, import('./relations.js').PersonRelation>} properties.relations
 * @param {(user: string) => string} properties.nameOf
 * @param {(user: string) => void} properties.onBlock
 */
export function FindPeople({ store, relations, nameOf, onBlock }) {
  const [search, setSearch] = useState('');
  const users = useStore(store, current => current.records('users'));
  const isSearching = search.trim() !== '';
  const found = isSearching ? usersMatching(users, search) : [];
  const followingOf = (/** @type {string} */ user) => (relations.get(user) ?? unrelated(user)).following;
  const shown = found.slice(0, MOST_RESULTS);
  return html`
    <section aria-labelledby="find-title">
      <div class="section-head"><h2 id="find-title">${text('people.find')}</h2></div>
      <${Field} id="people-search" label=${text('people.search')} value=${search} onInput=${setSearch}
        attributes=${{ type: 'search' }} />
      <p class="soft" role="status">${isSearching && messageOf(found.length)}</p>
      ${shown.length > 0 && html`
        <ul class="card person-list">
          ${shown.map(({ id }) => html`
            <li key=${id}>
              <${PersonRow} user=${id} name=${nameOf(id)} notes=${id}>
                <${FollowButton} store=${store} user=${id} name=${nameOf(id)} following=${followingOf(id)} />
                <${PersonButton} label=${text('people.block')} name=${nameOf(id)} style="is-alarming"
                  isDisabled=${!store.state.online} onTap=${() => onBlock(id)} />
              <//>
            </li>`)}
        </ul>`}
    </section>`;
}

/** @param {number} count */
function messageOf(count) {
  if (count === 0) return text('people.nobody');
  return count > MOST_RESULTS ? text('people.more') : text('people.found', { count });
}
