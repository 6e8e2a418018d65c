import { Icon } from '../../components/Icon.js';
import { Skeleton } from '../../components/Skeleton.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html, useState } from '../../library.js';
import { address } from '../../root.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { BlockSheet } from './BlockSheet.js';
import { FollowedHabits } from './FollowedHabits.js';
import { block, unblock } from './peopleRequests.js';
import { PersonButton } from './PersonButton.js';
import { PersonEvents } from './PersonEvents.js';
import { PersonRelation } from './PersonRelation.js';
import { relationsOf, unrelated } from './relations.js';
import { useBlocks } from './useBlocks.js';
import { useStatuses } from './useStatuses.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

/**
 * Another user: the relation to the person, the habits and the newest entries.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route }} properties
 */
export function PersonView({ store, route }) {
  const { person } = route.parameters;
  const { account, loaded, online } = useStore(store, ({ state }) => state);
  const user = useStore(store, current => current.find('users', person));
  const blocks = useBlocks(store);
  const [isAsked, setAsked] = useState(false);
  const name = user?.properties.name || person;
  const blockUser = () => {
    setAsked(false);
    blocks.change(block, person);
  };
  return html`
    <p class="view-back"><a href=${address('people')}><${Icon} name="back" />${text('nav.people')}</a></p>
    <${ViewHead} title=${name} subtitle=${user && name !== person && person} />
    ${content()}
    ${isAsked && html`<${BlockSheet} name=${name} onBlock=${blockUser} onClose=${() => setAsked(false)} />`}`;

  function content() {
    if (person === account.id) return html`<p>${text('person.self')}</p>`;
    if (blocks.users.includes(person)) {
      return html`
        <p>${text('person.blocked')}</p>
        <${PersonButton} label=${text('people.unblock')} name=${name} onTap=${() => blocks.change(unblock, person)} />`;
    }
    if (!user) return loaded ? html`<p>${text('person.unknown')}</p>` : html`<${Skeleton} />`;
    return html`
      <${KnownPerson} store=${store} user=${person} name=${name} />
      <p>
        <${PersonButton} label=${text('people.block')} name=${name} style="is-alarming" isDisabled=${!online}
          onTap=${() => setAsked(true)} />
      </p>`;
  }
}

/** @param {{ store: StoreInterface, user: string, name: string }} properties */
function KnownPerson({ store, user, name }) {
  const { account } = useStore(store, ({ state }) => state);
  const follows = useStore(store, current => current.records('follows'));
  const habits = useStore(store, current => current.records('habits'));
  const statuses = useStatuses(store);
  const relation = relationsOf(account.id, follows).get(user) ?? unrelated(user);
  const ofUser = habits.filter(({ properties }) => properties.user === user);
  return html`
    <${PersonRelation} store=${store} name=${name} relation=${relation} />
    <${FollowedHabits} habits=${ofUser} statuses=${statuses} />
    <${PersonEvents} store=${store} user=${user} />`;
}
