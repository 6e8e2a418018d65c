import { ViewHead } from '../../components/ViewHead.js';
import { html, useState } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { BlockedUsers } from './BlockedUsers.js';
import { BlockSheet } from './BlockSheet.js';
import { FindPeople } from './FindPeople.js';
import { Followers } from './Followers.js';
import { Following } from './Following.js';
import { block, unblock } from './peopleRequests.js';
import { relationsOf } from './relations.js';
import { Requests } from './Requests.js';
import { useBlocks } from './useBlocks.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

/**
 * The people: requests, the users whom the person follows, the followers, and the search for others.
 * @param {{ store: StoreInterface }} properties
 */
export function PeopleView({ store }) {
  const { account } = useStore(store, ({ state }) => state);
  const follows = useStore(store, current => current.records('follows'));
  const users = useStore(store, current => current.records('users'));
  const [asked, setAsked] = useState('');
  const blocks = useBlocks(store);
  const names = new Map(users.map(({ id, properties }) => [id, properties.name]));
  const nameOf = (/** @type {string} */ user) => names.get(user) || user;
  const relations = relationsOf(account.id, follows);
  const sorted = [...relations.values()].sort((first, second) => nameOf(first.id).localeCompare(nameOf(second.id)));
  const blockAsked = () => {
    blocks.change(block, asked);
    setAsked('');
  };
  return html`
    <${ViewHead} title=${text('nav.people')} />
    <${Requests} store=${store} nameOf=${nameOf} relations=${sorted.filter(({ follower }) => follower === 'pending')} />
    <${FindPeople} store=${store} nameOf=${nameOf} relations=${relations} onBlock=${setAsked} />
    <${Following} store=${store} nameOf=${nameOf}
      relations=${sorted.filter(({ following }) => following === 'accepted')} />
    <${Followers} store=${store} nameOf=${nameOf} relations=${sorted.filter(({ follower }) => follower === 'accepted')}
      onBlock=${setAsked} />
    <${BlockedUsers} users=${blocks.users} onUnblock=${(/** @type {string} */ user) => blocks.change(unblock, user)} />
    ${asked && html`<${BlockSheet} name=${nameOf(asked)} onBlock=${blockAsked} onClose=${() => setAsked('')} />`}`;
}
