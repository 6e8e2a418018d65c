import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { dotsOf, HEIGHT, placesOf, WIDTH } from './places.js';

const MOST_LISTED = 3;
/** The most places in the picture, so that their numbers stay readable. */
const MOST_DRAWN = 12;
/** The zoom at which the map shows streets. */
const ZOOM = 16;

/** @typedef {import('./places.js').Place} Place */

/**
 * The places of a habit as a small picture, and a list of those with the most events.
 * @param {{ events: readonly import('../../store/types').Visible[] }} properties the events of the habit
 */
export function HabitPlaces({ events }) {
  const places = placesOf(events);
  if (!places.length) return null;
  return html`
    <section class="card habit-section">
      <h2>${text('habit.places')}</h2>
      <${PlacePicture} places=${places.slice(0, MOST_DRAWN)} />
      <ul class="place-list">
        ${places.slice(0, MOST_LISTED).map((place, index) => html`<${PlaceLine} key=${index} place=${place} />`)}
      </ul>
    </section>`;
}

/** @param {{ places: readonly Place[] }} properties */
function PlacePicture({ places }) {
  const label = text('places.picture', { count: places.length, most: places[0].visits });
  // The smaller dots are drawn over the larger ones.
  return html`
    <svg class="place-picture" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      ${dotsOf(places).map(({ x, y, radius, visits }, index) => html`
        <g key=${index} transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
          <circle r=${radius.toFixed(1)} />
          <text dy="0.35em">${numberText(visits)}</text>
        </g>`)}
    </svg>`;
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
