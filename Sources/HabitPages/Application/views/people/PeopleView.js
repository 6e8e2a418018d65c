import { useToast } from '../../components/Toast.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html, useState } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { useServerData } from '../useServerData.js';
import { BlockedUsers } from './BlockedUsers.js';
import { BlockSheet } from './BlockSheet.js';
import { FindPeople } from './FindPeople.js';
import { Followers } from './Followers.js';
import { Following } from './Following.js';
import { block, unblock } from './peopleRequests.js';
import { relationsOf } from './relations.js';
import { Requests } from './Requests.js';

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

/**
 * Returns the blocked users, and the function that blocks or unblocks one.
 * @param {StoreInterface} store
 */
function useBlocks(store) {
  const [version, setVersion] = useState(0);
  const list = useServerData('user/blocks', version);
  const showToast = useToast();
  const change = async (/** @type {(user: string) => Promise<boolean>} */ request, /** @type {string} */ user) => {
    const isDone = await request(user);
    if (!isDone) showToast({ text: text('people.failed') });
    setVersion(current => current + 1);
    await store.sync();
  };
  const blocks = /** @type {{ user: string }[]} */ (list?.blocks ?? []);
  return { users: blocks.map(({ user }) => user), change };
}
