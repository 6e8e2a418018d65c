import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { acceptFollower, declineFollower } from './follows.js';
import { PersonButton } from './PersonButton.js';
import { PersonRow } from './PersonRow.js';

/** @typedef {import('./relations.js').PersonRelation} PersonRelation */
/** @typedef {import('./follows.js').Share} Share */

/**
 * The pending follow requests of other users.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {readonly PersonRelation[]} properties.relations
 * @param {(user: string) => string} properties.nameOf
 */
export function Requests({ store, relations, nameOf }) {
  const showToast = useToast();
  if (!relations.length) return null;
  const accept = async (/** @type {string} */ user, /** @type {Share} */ share) => {
    await acceptFollower(store, user, share);
    showToast({ text: text('people.accepted', { name: nameOf(user) }) });
  };
  const decline = async (/** @type {string} */ user) => {
    await declineFollower(store, user);
    showToast({ text: text('people.declined', { name: nameOf(user) }) });
  };
  return html`
    <section aria-labelledby="requests-title">
      <div class="section-head">
        <h2 id="requests-title">${text('people.requests', { count: relations.length })}</h2>
      </div>
      <ul class="card person-list">
        ${relations.map(({ id }) => html`
          <li key=${id}>
            <${PersonRow} user=${id} name=${nameOf(id)} notes=${text('people.request')}>
              <${PersonButton} label=${text('people.acceptAll')} name=${nameOf(id)} style="is-primary"
                onTap=${() => accept(id, 'all')} />
              <${PersonButton} label=${text('people.acceptLatest')} name=${nameOf(id)}
                onTap=${() => accept(id, 'latest')} />
              <${PersonButton} label=${text('people.decline')} name=${nameOf(id)} onTap=${() => decline(id)} />
            <//>
          </li>`)}
      </ul>
    </section>`;
}
