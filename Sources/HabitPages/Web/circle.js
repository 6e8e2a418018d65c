// The circle of the filter "Near", with a handle at its center for the mouse and the keyboard.

import { element } from './dom.js';
import { texts } from './texts.js';

const kmPerDegree = 111.32;
const directions = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class NearCircle {
  /// Creates a hidden circle. `changed` is called after each move, and repeatedly while an arrow key is pressed.
  constructor(map, changed) {
    this.map = map;
    this.changed = changed;
    this.circle = L.circle([0, 0], { className: 'near-circle', interactive: false });
    this.handle = L.marker([0, 0], {
      icon: L.divIcon({ className: 'handle', html: element('span'), iconSize: [32, 32] }),
      draggable: true, autoPan: true, zIndexOffset: 10_000, title: texts.moveCircle,
    });
    this.handle.on('drag', () => this.circle.setLatLng(this.handle.getLatLng()));
    this.handle.on('dragend', () => this.moveTo(this.handle.getLatLng()));
    this.handle.on('add', () => this.prepareHandle());
  }

  get isOn() { return this.map.hasLayer(this.circle); }

  /// The center and the radius in kilometers, or null if the circle is hidden.
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

  /// Fits the view to the circle.
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
    const place = `${degrees(lat, texts.north, texts.south)}, ${degrees(lng, texts.east, texts.west)}`;
    this.handle.getElement()?.setAttribute('aria-label', texts.circleCenter(place));
  }

  /// Moves the circle by a tenth of the radius, or by the radius if Shift is pressed.
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
