import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { FollowButton } from './FollowButton.js';
import { ShareSelect } from './Followers.js';
import { acceptFollower, declineFollower, endFollow, removeFollower } from './follows.js';
import { PersonButton } from './PersonButton.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../texts/text.js').TextKey} TextKey */
/** @typedef {import('./follows.js').Share} Share */
/** @typedef {import('./relations.js').PersonRelation} Relation */
/** @typedef {{ store: StoreInterface, name: string, relation: Relation }} Properties */

/** @type {Record<string, TextKey>} */
const FOLLOWING = {
  none: 'person.followingNone', pending: 'person.asked', accepted: 'person.following', rejected: 'person.declined',
};
/** @type {Record<string, TextKey>} */
const FOLLOWER = {
  none: 'person.followerNone',
  pending: 'person.followerWanted',
  accepted: 'person.follower',
  rejected: 'person.followerDeclined',
};

/**
 * The follows between the person and a user, with their buttons.
 * @param {Properties} properties
 */
export function PersonRelation({ store, name, relation }) {
  const { following, follower, granted } = relation;
  const isLatest = following === 'accepted' && granted === 'latest';
  return html`
    <section class="card habit-section" aria-labelledby="person-relation-title">
      <h2 id="person-relation-title">${text('person.relation', { name })}</h2>
      <p>${text(isLatest ? 'person.followingLatest' : FOLLOWING[following], { name })}</p>
      <div class="actions"><${FollowingActions} store=${store} name=${name} relation=${relation} /></div>
      <p>${text(FOLLOWER[follower], { name })}</p>
      <div class="actions"><${FollowerActions} store=${store} name=${name} relation=${relation} /></div>
    </section>`;
}

/** @param {Properties} properties */
function FollowingActions({ store, name, relation: { id, following } }) {
  const showToast = useToast();
  const end = async () => {
    const onUndo = await endFollow(store, id);
    showToast({ text: text('people.unfollowed', { name }), onUndo });
  };
  if (following === 'accepted') {
    return html`<${PersonButton} label=${text('people.unfollow')} name=${name} onTap=${end} />`;
  }
  return html`<${FollowButton} store=${store} user=${id} name=${name} following=${following} />`;
}

/** @param {Properties} properties */
function FollowerActions({ store, name, relation: { id, follower, given } }) {
  const showToast = useToast();
  const share = (/** @type {Share} */ chosen) => acceptFollower(store, id, chosen);
  const decline = async () => {
    await declineFollower(store, id);
    showToast({ text: text('people.declined', { name }) });
  };
  const remove = async () => {
    const onUndo = await removeFollower(store, id);
    showToast({ text: text('people.dropped', { name }), onUndo });
  };
  if (follower === 'accepted') {
    return html`
      <${ShareSelect} name=${name} share=${given} onChange=${share} />
      <${PersonButton} label=${text('people.drop')} name=${name} onTap=${remove} />`;
  }
  if (follower !== 'pending') return null;
  return html`
    <${PersonButton} label=${text('people.acceptAll')} name=${name} style="is-primary" onTap=${() => share('all')} />
    <${PersonButton} label=${text('people.acceptLatest')} name=${name} onTap=${() => share('latest')} />
    <${PersonButton} label=${text('people.decline')} name=${name} onTap=${decline} />`;
}
