// The map of a page with features. The features are data in the page. The script loads only the base map.

import { addBackground } from './background.js';
import { element, dayText } from './dom.js';
import { makeClusters, makeMarker } from './markers.js';

const frame = document.getElementById('map');
const { features } = JSON.parse(document.getElementById('features').textContent);
const located = features.filter(({ geometry }) => geometry?.type === 'Point');
if (located.length) show();

function show() {
  frame.hidden = false;
  const moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(frame, {
    worldCopyJump: true, minZoom: 0, maxZoom: 19, zoomAnimation: moving, fadeAnimation: moving,
    markerZoomAnimation: moving, inertia: moving, scrollWheelZoom: false,
  });
  L.control.scale({ imperial: false }).addTo(map);
  const places = positions();
  map.fitBounds(L.latLngBounds(places), { padding: [32, 32], maxZoom: 15, animate: false });
  addBackground(map, frame.dataset.tiles, frame.dataset.attribution);
  const markers = located.map((feature, index) => marker(feature, places[index]));
  makeClusters().addLayers(markers).addTo(map);
  frame.dataset.markers = markers.length;
}

/// Returns the positions of the features. Features on both sides of the antimeridian are next to each other.
function positions() {
  const first = located[0].geometry.coordinates[0];
  return located.map(({ geometry: { coordinates: [lng, lat] } }) =>
    L.latLng(lat, lng + 360 * Math.round((first - lng) / 360)));
}

function marker({ id, properties }, place) {
  const title = properties.title ?? properties.name ?? properties.caption ?? String(id);
  const time = properties.day ?? properties.at ?? properties.posted_at;
  const hit = {
    place, title, user: properties.user, date: time ? dayText(time) : null, color: properties.color,
    layer: frame.dataset.layer,
  };
  const address = `${frame.dataset.items}/${encodeURIComponent(id)}`;
  const popup = element('div', {}, element('p', {}, element('a', { href: address }, title)),
    element('p', {}, [hit.user, hit.date].filter(Boolean).join(' · ')));
  return makeMarker(hit).bindPopup(popup);
}
