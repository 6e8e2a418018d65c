import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { acceptFollower, removeFollower } from './follows.js';
import { PersonButton } from './PersonButton.js';
import { PersonRow } from './PersonRow.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./relations.js').PersonRelation} PersonRelation */
/** @typedef {import('./follows.js').Share} Share */

/**
 * The followers of the person, and the events that each of them can see.
 * @param {object} properties
 * @param {StoreInterface} properties.store
 * @param {readonly PersonRelation[]} properties.relations
 * @param {(user: string) => string} properties.nameOf
 * @param {(user: string) => void} properties.onBlock
 */
export function Followers({ store, relations, nameOf, onBlock }) {
  const showToast = useToast();
  const remove = async (/** @type {string} */ user) => {
    const onUndo = await removeFollower(store, user);
    showToast({ text: text('people.dropped', { name: nameOf(user) }), onUndo });
  };
  return html`
    <section aria-labelledby="followers-title">
      <div class="section-head">
        <h2 id="followers-title">${text('people.followers', { count: relations.length })}</h2>
      </div>
      ${relations.length ? html`
        <ul class="card person-list">
          ${relations.map(({ id, given }) => html`
            <li key=${id}>
              <${PersonRow} user=${id} name=${nameOf(id)}>
                <${ShareSelect} name=${nameOf(id)} share=${given}
                  onChange=${(/** @type {Share} */ share) => acceptFollower(store, id, share)} />
                <${PersonButton} label=${text('people.drop')} name=${nameOf(id)} onTap=${() => remove(id)} />
                <${PersonButton} label=${text('people.block')} name=${nameOf(id)} style="is-alarming"
                  isDisabled=${!store.state.online} onTap=${() => onBlock(id)} />
              <//>
            </li>`)}
        </ul>` : html`<p class="soft">${text('people.followersNone')}</p>`}
    </section>`;
}

/**
 * The choice between all entries and the newest entries for a follower.
 * @param {{ name: string, share: string, onChange: (share: Share) => void }} properties
 */
export function ShareSelect({ name, share, onChange }) {
  const change = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) =>
    onChange(event.currentTarget.value === 'latest' ? 'latest' : 'all');
  return html`
    <select class="select" aria-label=${text('people.seesOf', { name })} onChange=${change}>
      <option value="all" selected=${share === 'all'}>${text('people.seesAll')}</option>
      <option value="latest" selected=${share === 'latest'}>${text('people.seesLatest')}</option>
    </select>`;
}
