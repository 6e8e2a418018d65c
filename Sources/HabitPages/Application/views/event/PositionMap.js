import { Icon } from '../../components/Icon.js';
import { html, useLayoutEffect, useMemo, useState } from '../../library.js';
import { distanceText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { MAP_HEIGHT, MAP_WIDTH, MapView } from './mapView.js';
import { usePin } from './usePin.js';

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */
/** @typedef {import('./eventDraft.js').Origin} Origin */

/** The tip of the pin is at the origin. */
const PIN = 'M0 0C-5-8-9-12-9-18a9 9 0 0 1 18 0c0 6-4 10-9 18Z';
/** The radius of the area in which a finger reaches the pin, in units. */
const TARGET_RADIUS = 24;

/**
 * A small map without tiles: the pin, the accuracy circle, and the earlier positions of the person. The pointer and the
 * arrow keys move the pin.
 * @param {object} properties
 * @param {Coordinates} properties.position
 * @param {Origin} properties.origin where the position comes from; the circle is around it
 * @param {readonly Coordinates[]} properties.earlier earlier positions of the person
 * @param {(position: Coordinates) => void} properties.onMove
 */
export function PositionMap({ position, origin, earlier, onMove }) {
  const [view, setView] = useState(() => MapView.around(position, origin.accuracy));
  const dots = useMemo(() => view.dots(earlier), [view, earlier]);
  const zoom = (/** @type {0.5 | 2} */ factor) => setView(view.zoomed(factor, position));
  const { pin, handlers, pinHandlers } = usePin({ view, position, onMove, onZoom: zoom });
  useLayoutEffect(() => {
    if (!view.contains(position)) setView(new MapView(position, view.scale));
  }, [position]);
  return html`
    <div class="position-map">
      <svg viewBox=${`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} role="application" tabindex="0" aria-label=${text('place.map')}
        ...${handlers}>
        <${Circle} view=${view} origin=${origin} />
        ${dots.map(({ x, y }) => html`<circle key=${`${x} ${y}`} class="map-dot" cx=${x} cy=${y} r="4" />`)}
        <${ScaleBar} view=${view} />
        <g class="map-pin" transform=${`translate(${pin.x} ${pin.y})`} ...${pinHandlers}>
          <circle class="map-pin-target" cy="-14" r=${TARGET_RADIUS} />
          <path d=${PIN} />
          <circle class="map-pin-eye" cy="-18" r="3" />
        </g>
      </svg>
      <div class="map-zoom">
        <button type="button" class="icon-button" aria-label=${text('place.zoomIn')} disabled=${!view.canZoomIn}
          onClick=${() => zoom(0.5)}><${Icon} name="add" /></button>
        <button type="button" class="icon-button" aria-label=${text('place.zoomOut')} disabled=${!view.canZoomOut}
          onClick=${() => zoom(2)}><${Icon} name="remove" /></button>
      </div>
    </div>`;
}

/**
 * The area in which the device is, by its own estimate.
 * @param {{ view: MapView, origin: Origin }} properties
 */
function Circle({ view, origin: { coordinates, accuracy } }) {
  if (accuracy === undefined) return null;
  const { x, y } = view.pointOf(coordinates);
  return html`<circle class="map-accuracy" cx=${x} cy=${y} r=${Math.max(2, accuracy / view.scale)} />`;
}

/** @param {{ view: MapView }} properties */
function ScaleBar({ view }) {
  const { meters, units } = view.bar;
  return html`
    <g class="map-scale" transform=${`translate(10 ${MAP_HEIGHT - 10})`}>
      <path d=${`M0-6V0H${units}V-6`} />
      <text x=${units / 2} y="-6">${distanceText(meters)}</text>
    </g>`;
}
