import { Sheet } from '../../components/Sheet.js';
import { html } from '../../library.js';
import { leaveSheet } from '../../routes.js';
import { useStore } from '../../store/useStore.js';
import { isDay, longDayText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { EventDetails } from './EventDetails.js';
import { EventForm } from './EventForm.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The sheet of an event: a form for the own event of a day, or what another person has shared.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route, below: string }} properties
 */
export function EventSheet({ store, route, below }) {
  const { account, loaded } = useStore(store, ({ state }) => state);
  const event = useStore(store, current => eventOf(current, route));
  const habit = store.find('habits', event?.properties.habit ?? route.parameters.habit ?? '');
  const day = event?.properties.day ?? route.parameters.day;
  const close = () => leaveSheet(below);
  const isOwn = habit?.properties.user === undefined || habit.properties.user === account.id;
  const isMissing = !event && (route.name === 'event' || !isOwn);
  if (!habit || !isDay(day) || isMissing) {
    const title = text(loaded ? 'event.missing' : 'state.loading');
    return html`<${Sheet} title=${title} onClose=${close}>${loaded && html`<p>${text('event.missingText')}</p>`}<//>`;
  }
  return html`
    <${Sheet} title=${habit.properties.title} subtitle=${longDayText(day)} onClose=${close}>
      ${isOwn
        ? html`<${EventForm} store=${store} habit=${habit} event=${event} day=${day} onClose=${close} />`
        : html`<${EventDetails} store=${store} event=${event} />`}
    <//>`;
}

/**
 * Returns the event of an address. A habit has one event a day, so a new event of a day that has one is this event.
 * @param {StoreInterface} store
 * @param {import('../../routes.js').Route} route
 * @returns {Visible | undefined}
 */
function eventOf(store, { name, parameters }) {
  if (name === 'event') return store.find('events', parameters.event);
  const { habit, day } = parameters;
  if (!habit || !day) return undefined;
  return store.records('events').find(({ properties }) => properties.habit === habit && properties.day === day);
}
