// Land, borders and large cities from Natural Earth, which the server contains.

import { CanvasLayer } from './canvas-layer.js';

/// The zoom from which on the map has more detail.
const fineZoom = 4;
/// The zoom from which on the map has no land. Its coasts are made for a scale of about 1:50 million.
const emptyZoom = 12;
/// The highest latitude of the Web Mercator projection.
const highestLatitude = 85.06;
/// Distances of a name from the center of its city and from the markers, in pixels.
const [gap, clearance] = [5, 2];
const nameHeight = 12;
/// The widths of the edges with the labels of the graticule, in pixels.
const [rightEdge, bottomEdge] = [56, 44];

const levels = new Map();

/// Returns the promise of a level of the map, `coarse` or `fine`. The level is loaded once.
function load(name) {
  if (!levels.has(name)) levels.set(name, import(`./world-${name}.js`).then(module => decode(module.default)));
  return levels.get(name);
}

function decode({ unitsPerDegree, land, borders, cities }) {
  return {
    land: land.map(text => decodeLine(text, unitsPerDegree)), borders: borders.map(text => decodeLine(text, unitsPerDegree)),
    cities: cities.map(([lng, lat, name]) => ({ name, x: worldX(lng), y: worldY(lat) })),
  };
}

// Positions in the square of Web Mercator, from 0 to 1. Copies of the world are at whole numbers.
const worldX = lng => lng / 360 + 0.5;
const worldY = lat => {
  const sine = Math.sin(Math.max(-highestLatitude, Math.min(highestLatitude, lat)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

/// Decodes a line. `encoded` in Packaging/base-map/make describes the encoding.
function decodeLine(text, unitsPerDegree) {
  const differences = [];
  let number = 0;
  let factor = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const digit = code - (code > 92 ? 36 : 35);
    number += (digit & 31) * factor;
    factor *= 32;
    if (digit >= 32) continue;
    differences.push(number % 2 ? -(number + 1) / 2 : number / 2);
    number = 0;
    factor = 1;
  }
  const points = new Float64Array(differences.length);
  let [lng, lat] = [0, 0];
  const box = { west: Infinity, east: -Infinity, north: Infinity, south: -Infinity };
  for (let index = 0; index < points.length; index += 2) {
    lng += differences[index];
    lat += differences[index + 1];
    const [x, y] = [worldX(lng / unitsPerDegree), worldY(lat / unitsPerDegree)];
    [points[index], points[index + 1]] = [x, y];
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.north = Math.min(box.north, y);
    box.south = Math.max(box.south, y);
  }
  return { points, ...box };
}

/// A layer that draws a level of the map, and that is redrawn when the level is loaded.
const WorldLayer = CanvasLayer.extend({
  /// Returns the level for the zoom if it is loaded, otherwise the other level or undefined, and loads the level.
  world() {
    const name = this._map.getZoom() < fineZoom ? 'coarse' : 'fine';
    this._worlds ??= {};
    if (!(name in this._worlds)) {
      this._worlds[name] = null;
      load(name).then(world => {
        this._worlds[name] = world;
        if (this._map) this.redraw();
      }).catch(error => console.warn(`The base map is not available: ${error.message}`));
    }
    return this._worlds[name] ?? this._worlds.fine ?? this._worlds.coarse;
  },

  /// Returns the scale and the edges of the view, in pixels and in units of the world.
  view(size) {
    const scale = this._map.options.crs.scale(this._map.getZoom());
    const corner = this._map.project(this._map.containerPointToLatLng([0, 0]));
    return {
      scale, left: corner.x, top: corner.y, west: corner.x / scale, north: corner.y / scale,
      east: (corner.x + size.x) / scale, south: (corner.y + size.y) / scale,
    };
  },
});

/// Land and borders.
export const BaseMap = WorldLayer.extend({
  getAttribution() { return 'Natural Earth'; },

  paint(pen, size, color) {
    if (this._map.getZoom() >= emptyZoom) {
      pen.fillStyle = color('--land');
      pen.fillRect(0, 0, size.x, size.y);
      return;
    }
    const world = this.world();
    if (!world) return;
    const view = this.view(size);
    pen.fillStyle = color('--land');
    drawLines(pen, world.land, view);
    pen.fill('evenodd');
    pen.strokeStyle = color('--border');
    drawLines(pen, world.borders, view);
    pen.stroke();
  },
});

/// The names of cities, which avoid the markers and the labels of the graticule.
export const CityNames = WorldLayer.extend({
  getEvents() {
    return { ...WorldLayer.prototype.getEvents.call(this), layeradd: this._redrawSoon, layerremove: this._redrawSoon };
  },

  _redrawSoon({ layer }) {
    if (this._frame || !(layer instanceof L.Marker)) return;
    this._frame = requestAnimationFrame(() => {
      this._frame = null;
      if (this._map && !this._map._animatingZoom) this.redraw();
    });
  },

  paint(pen, size, color) {
    const world = this.world();
    if (!world) return;
    const view = this.view(size);
    const used = this._markers();
    pen.fillStyle = color('--soft');
    pen.strokeStyle = color('--land');
    pen.lineWidth = 3;
    pen.lineJoin = 'round';
    pen.textBaseline = 'middle';
    for (const { name, x, y } of world.cities) {
      for (const turn of turns({ west: x, east: x, north: y, south: y }, view)) {
        drawCity(pen, name, { x: (x + turn) * view.scale - view.left, y: y * view.scale - view.top }, used, size);
      }
    }
  },

  /// Returns the rectangles of the markers in the view.
  _markers() {
    const icons = [...this._map.getPane('markerPane').children];
    return icons.map(icon => {
      const center = this._map.layerPointToContainerPoint(L.DomUtil.getPosition(icon));
      const half = (parseFloat(icon.style.width) || 28) / 2 + clearance;
      return { left: center.x - half, right: center.x + half, top: center.y - half, bottom: center.y + half };
    });
  },
});

/// Returns the whole numbers by which a box of the world can be shifted to the east so that it is in the view.
function turns({ west, east, north, south }, view) {
  if (south < view.north || north > view.south) return [];
  const shifts = [];
  for (let shift = Math.ceil(view.west - east); west + shift <= view.east; shift++) shifts.push(shift);
  return shifts;
}

/// Adds lines to the path of the pen, without vertices that are less than a pixel from the previous vertex.
function drawLines(pen, lines, view) {
  pen.beginPath();
  for (const line of lines) for (const turn of turns(line, view)) drawLine(pen, line.points, turn, view);
}

function drawLine(pen, points, turn, { scale, left, top }) {
  let [lastX, lastY] = [NaN, NaN];
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] + turn) * scale - left;
    const y = points[index + 1] * scale - top;
    if (index === 0) pen.moveTo(x, y);
    else if (Math.abs(x - lastX) < 1 && Math.abs(y - lastY) < 1 && index < points.length - 2) continue;
    else pen.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
}

/// Draws a city and its name next to it, unless the name would be cut, or one of both overlap a marker or an earlier city.
function drawCity(pen, name, { x, y }, used, size) {
  const dot = { left: x - 2, right: x + 2, top: y - 2, bottom: y + 2 };
  const isFree = area => !used.some(other =>
    area.left < other.right && other.left < area.right && area.top < other.bottom && other.top < area.bottom);
  const width = pen.measureText(name).width;
  const area = [x + gap, x - gap - width]
    .map(left => ({ left, right: left + width, top: y - nameHeight / 2, bottom: y + nameHeight / 2 }))
    .find(area => area.left >= 0 && area.right <= size.x - rightEdge && area.top >= 0
      && area.bottom <= size.y - bottomEdge && isFree(area));
  if (!area || !isFree(dot)) return;
  used.push(area, dot);
  pen.beginPath();
  pen.arc(x, y, 2, 0, 2 * Math.PI);
  pen.fill();
  pen.strokeText(name, area.left, y);
  pen.fillText(name, area.left, y);
}
