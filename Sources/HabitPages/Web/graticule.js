// Lines of latitude and longitude, for a map without tiles.

import { CanvasLayer } from './canvas-layer.js';
import { texts } from './texts.js';

const steps = [60, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const leastPixels = 110;
// The highest latitude of the Web Mercator projection.
const highestLatitude = 85.05;

export const Graticule = CanvasLayer.extend({
  paint(pen, size, color) {
    pen.strokeStyle = color('--grid');
    pen.fillStyle = color('--soft');
    this._drawMeridians(pen, size);
    this._drawParallels(pen, size);
  },

  _drawMeridians(pen, size) {
    const bounds = this._map.getBounds();
    const step = stepFor((bounds.getEast() - bounds.getWest()) / size.x);
    const top = this._map.latLngToContainerPoint([highestLatitude, 0]).y;
    const bottom = this._map.latLngToContainerPoint([-highestLatitude, 0]).y;
    pen.textAlign = 'center';
    for (const lng of multiples(step, bounds.getWest(), bounds.getEast())) {
      const { x } = this._map.latLngToContainerPoint([0, lng]);
      line(pen, x, Math.max(0, top), x, Math.min(size.y, bottom));
      pen.fillText(label(wrapped(lng), step, texts.east, texts.west), x, size.y - 26);
    }
  },

  _drawParallels(pen, size) {
    const bounds = this._map.getBounds();
    const south = Math.max(bounds.getSouth(), -highestLatitude);
    const north = Math.min(bounds.getNorth(), highestLatitude);
    const step = stepFor((north - south) / size.y);
    pen.textAlign = 'right';
    for (const lat of multiples(step, south, north)) {
      const { y } = this._map.latLngToContainerPoint([lat, 0]);
      line(pen, 0, y, size.x, y);
      // Labels at the top would overlap the button, and labels at the bottom the labels of the meridians.
      if (y > 64 && y < size.y - 44) pen.fillText(label(lat, step, texts.north, texts.south), size.x - 8, y - 4);
    }
  },
});

/// Returns the smallest step whose lines are at least `leastPixels` apart.
const stepFor = degreesPerPixel => steps.findLast(step => step >= leastPixels * degreesPerPixel) ?? steps[0];

function* multiples(step, least, most) {
  for (let count = Math.ceil(least / step); count * step <= most; count++) yield count * step;
}

const wrapped = lng => ((lng + 180) % 360 + 360) % 360 - 180;

function label(degrees, step, positive, negative) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = Math.abs(degrees).toFixed(decimals);
  if (Number(text) === 0 || Number(text) === 180) return `${text}°`;
  return `${text}° ${degrees > 0 ? positive : negative}`;
}

function line(pen, fromX, fromY, toX, toY) {
  pen.beginPath();
  // An offset of half a pixel makes a line of one pixel sharp.
  pen.moveTo(Math.round(fromX) + 0.5, Math.round(fromY) + 0.5);
  pen.lineTo(Math.round(toX) + 0.5, Math.round(toY) + 0.5);
  pen.stroke();
}
