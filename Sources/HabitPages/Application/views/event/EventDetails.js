import { html } from '../../library.js';
import { address } from '../../root.js';
import { text } from '../../texts/text.js';
import { EventPhoto } from './EventPhoto.js';

/**
 * The event of another person.
 * @param {{ store: import('../../store/types').StoreInterface, event: import('../../store/types').Visible }} properties
 */
export function EventDetails({ store, event }) {
  const { user, comment } = event.properties;
  const name = store.find('users', user)?.properties.name ?? user;
  return html`
    <p><b dir="auto">${name}</b></p>
    <${EventPhoto} address=${store.photoAddress(event, 1080)} />
    ${comment && html`<p dir="auto">${comment}</p>`}
    ${event.geometry && html`<p><a href=${mapAddress(event.geometry.coordinates)}>${text('place.onMap')}</a></p>`}`;
}

/**
 * Returns the address of the map at a position.
 * @param {[number, number]} coordinates longitude and latitude
 */
export function mapAddress([longitude, latitude]) {
  return address(`map#map=16/${latitude}/${longitude}`);
}
