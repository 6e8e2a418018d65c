import { useState } from '../../library.js';
import { MAP_HEIGHT, MAP_WIDTH, withinMap } from './mapView.js';

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */
/** @typedef {import('./mapView.js').MapView} MapView */
/** @typedef {import('./mapView.js').Point} Point */

/** The way of the pin for a press of an arrow key, and for a press with the shift key, in units. */
const STEP = 10;
const SMALL_STEP = 1;

/** @type {Record<string, Point>} */
const DIRECTIONS = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** @type {Record<string, 0.5 | 2>} */
const ZOOM_KEYS = { '+': 0.5, '=': 0.5, '-': 2 };

/**
 * Returns the point of the pin, and the handlers of the map and of the pin. A tap on the map, a drag of the pin, and the
 * arrow keys move the pin. A drag changes the position at its end.
 * @param {object} options
 * @param {MapView} options.view
 * @param {Coordinates} options.position
 * @param {(position: Coordinates) => void} options.onMove
 * @param {(factor: 0.5 | 2) => void} options.onZoom
 */
export function usePin({ view, position, onMove, onZoom }) {
  const [drag, setDrag] = useState(/** @type {{ from: Point, to: Point } | null} */ (null));
  const saved = view.pointOf(position);
  const pin = drag ? withinMap(movedBy(saved, drag)) : saved;

  const moveTo = (/** @type {MouseEvent & { currentTarget: SVGElement }} */ event) => {
    const isPin = event.target instanceof Element && event.target.closest('.map-pin');
    if (!isPin) onMove(view.positionAt(pointAt(event)));
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const direction = DIRECTIONS[event.key];
    const factor = ZOOM_KEYS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!direction && !factor)) return;
    event.preventDefault();
    if (factor) return onZoom(factor);
    const step = event.shiftKey ? SMALL_STEP : STEP;
    onMove(view.positionAt({ x: saved.x + direction.x * step, y: saved.y + direction.y * step }));
  };

  const begin = (/** @type {PointerEvent & { currentTarget: SVGElement }} */ event) => {
    if (!event.isPrimary || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const point = pointAt(event);
    setDrag({ from: point, to: point });
  };
  const move = (/** @type {PointerEvent & { currentTarget: SVGElement }} */ event) => {
    if (drag && event.isPrimary) setDrag({ ...drag, to: pointAt(event) });
  };
  const end = () => {
    if (drag && (drag.from.x !== drag.to.x || drag.from.y !== drag.to.y)) onMove(view.positionAt(pin));
    setDrag(null);
  };
  return {
    pin,
    handlers: { onClick: moveTo, onKeyDown: press },
    pinHandlers: { onPointerDown: begin, onPointerMove: move, onPointerUp: end, onPointerCancel: () => setDrag(null) },
  };
}

/**
 * @param {Point} point
 * @param {{ from: Point, to: Point }} drag
 * @returns {Point}
 */
function movedBy({ x, y }, { from, to }) {
  return { x: x + to.x - from.x, y: y + to.y - from.y };
}

/**
 * Returns the point of the drawing under the pointer.
 * @param {MouseEvent & { currentTarget: SVGElement }} event
 * @returns {Point}
 */
function pointAt({ currentTarget, clientX, clientY }) {
  const drawing = currentTarget.ownerSVGElement ?? currentTarget;
  const { left, top, width, height } = drawing.getBoundingClientRect();
  return { x: (clientX - left) / width * MAP_WIDTH, y: (clientY - top) / height * MAP_HEIGHT };
}
