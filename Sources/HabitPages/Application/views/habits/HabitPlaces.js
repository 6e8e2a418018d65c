import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

const MOST_PLACES = 3;
/** The zoom at which the map shows streets. */
const ZOOM = 16;

/** @typedef {{ place: number, visits: number, longitude: number, latitude: number }} Place */

/**
 * The places where a habit is done most often, each with a link to the map.
 * @param {{ places: readonly Place[] }} properties the rows of the report `places`
 */
export function HabitPlaces({ places }) {
  if (!places.length) return null;
  return html`
    <section class="card habit-section">
      <h2>${text('habit.places')}</h2>
      <ul class="place-list">
        ${places.slice(0, MOST_PLACES).map(place => html`<${PlaceLine} key=${place.place} place=${place} />`)}
      </ul>
    </section>`;
}

/** @param {{ place: Place }} properties */
function PlaceLine({ place: { visits, longitude, latitude } }) {
  const position = `${degrees(latitude)}, ${degrees(longitude)}`;
  const map = address(`map#map=${ZOOM}/${latitude.toFixed(5)}/${longitude.toFixed(5)}`);
  return html`
    <li>
      <a href=${map} aria-label=${text('habit.placeShow', { position })}><${Icon} name="place" />${position}</a>
      <span class="soft">${text('habit.placeVisits', { count: visits })}</span>
    </li>`;
}

/** @param {number} value */
function degrees(value) {
  return numberText(value, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
}
