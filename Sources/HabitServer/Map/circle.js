// The circle of "Near", with a handle in its middle for the mouse and the keyboard.

import { element } from '/map/dom.js';

const kmPerDegree = 111.32;
const directions = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class NearCircle {
  /// `changed` is called when a move has ended; a key that is held down makes many moves.
  constructor(map, changed) {
    this.map = map;
    this.changed = changed;
    this.circle = L.circle([0, 0], { className: 'near-circle', interactive: false });
    this.handle = L.marker([0, 0], {
      icon: L.divIcon({ className: 'handle', html: element('span'), iconSize: [32, 32] }),
      draggable: true, autoPan: true, zIndexOffset: 10_000, title: 'Drag to move the circle',
    });
    this.handle.on('drag', () => this.circle.setLatLng(this.handle.getLatLng()));
    this.handle.on('dragend', () => this.moveTo(this.handle.getLatLng()));
    this.handle.on('add', () => this.prepareHandle());
  }

  get isOn() { return this.map.hasLayer(this.circle); }

  /// The middle and the radius, or null.
  get value() {
    if (!this.isOn) return null;
    const { lat, lng } = this.handle.getLatLng();
    return { lat, lng, km: this.circle.getRadius() / 1000 };
  }

  show({ lat, lng, km }) {
    this.place(L.latLng(lat, lng).wrap());
    this.circle.setRadius(km * 1000).addTo(this.map);
    this.handle.addTo(this.map);
  }

  hide() {
    this.circle.remove();
    this.handle.remove();
  }

  /// The whole circle.
  frame() { this.map.fitBounds(this.circle.getBounds(), { padding: [24, 24], maxZoom: 17 }); }

  moveTo(place) {
    this.place(place.wrap());
    this.changed();
  }

  place(place) {
    this.circle.setLatLng(place);
    this.handle.setLatLng(place);
    this.describe();
  }

  prepareHandle() {
    const icon = this.handle.getElement();
    icon.id = 'circle-handle';
    icon.setAttribute('role', 'button');
    icon.addEventListener('keydown', event => this.pressed(event));
    this.describe();
  }

  describe() {
    const { lat, lng } = this.handle.getLatLng();
    const place = `${degrees(lat, 'N', 'S')}, ${degrees(lng, 'E', 'W')}`;
    const name = `Middle of the circle: ${place}. The arrow keys move it, with Shift further.`;
    this.handle.getElement()?.setAttribute('aria-label', name);
  }

  /// A tenth of the radius at a time; with Shift the whole radius.
  pressed(event) {
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    const { lat, lng } = this.handle.getLatLng();
    const step = this.circle.getRadius() / 1000 / kmPerDegree * (event.shiftKey ? 1 : 0.1);
    const north = Math.max(-85, Math.min(85, lat + direction[1] * step));
    const east = lng + direction[0] * step / Math.cos(north * Math.PI / 180);
    this.moveTo(L.latLng(north, east));
    this.map.panInside(this.handle.getLatLng(), { padding: [48, 48] });
  }
}

const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(3)}° ${value < 0 ? negative : positive}`;
