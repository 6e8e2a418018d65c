// The layers: the request for the features of each layer, and their conversion to hits for the map and the list.

import { getFeatures } from './api.js';
import { dayText, clockText, distanceText } from './dom.js';
import { texts } from './texts.js';

/// Maximum number of markers per layer. A user cannot distinguish more markers on a map.
export const most = 5000;

const pageSize = 1000;
const events = 'located-events';

export const layers = {
  mine: { section: 'habits', collection: events, read: readEvent, scope: user => (user ? 'mine' : 'all') },
  friends: { section: 'habits', collection: events, read: readEvent, scope: () => 'friends' },
  items: { section: 'items', collection: 'items', read: readItem },
  posts: { section: 'posts', collection: 'posts', read: readPost },
};

/// Returns the names of the layers of the parts that the server shows.
export function layersOf(sections) {
  return Object.keys(layers).filter(name => sections.includes(layers[name].section));
}

/// Returns the names of the layers that a visitor without a token can see. `publicCollections` are the IDs of the
/// collections that the server opens to everyone.
export function publicLayers(publicCollections) {
  return Object.keys(layers).filter(name => name !== 'friends' && publicCollections.includes(layers[name].collection));
}

/// Loads the hits of one layer. `more` is true if the layer has more features than the limit.
export async function loadLayer(name, filters, user, signal) {
  const layer = layers[name];
  const found = await getFeatures(`collections/${layer.collection}/items`, query(layer, filters, user), most, signal);
  const located = found.features.filter(feature => feature.geometry?.type === 'Point');
  const center = filters.circle?.lng ?? filters.center;
  return { hits: located.map(feature => readHit(name, feature, center)), more: found.more };
}

/// Returns the parameters of a request. Items and posts use only the circle and the box, not the filters of the
/// history.
export function query(layer, { habit, comment, from, to, circle, bbox }, user) {
  const near = circle ? { near: placeText(circle), within: `${circle.km}km` } : { bbox };
  if (!layer.scope) return { ...near, limit: pageSize };
  const datetime = from || to ? `${from || '..'}/${to || '..'}` : '';
  return { scope: layer.scope(user), habit, 'comment-contains': comment, datetime, ...near, limit: pageSize };
}

const placeText = ({ lat, lng }) => `${+lng.toFixed(6)},${+lat.toFixed(6)}`;

/// Returns the circle as text, for tests.
export const nearText = circle => (circle ? `${placeText(circle)},${circle.km}` : '');

/// Converts a feature to a hit: its position, its time and its texts.
function readHit(name, { id, geometry, properties }, center) {
  const [lng, lat] = geometry.coordinates;
  const distance = properties.distance_m;
  return {
    layer: name, id, place: L.latLng(lat, center == null ? lng : besides(center, lng)), user: properties.user,
    distance, photo: properties.has_photo !== false ? properties.photo_url : null,
    away: distance == null ? null : distanceText(distance),
    ...layers[name].read(properties),
  };
}

/// Returns the longitude, shifted by multiples of 360 degrees to be near `center`. Features of a view across the
/// antimeridian are then drawn in the view instead of at the other edge of the map.
const besides = (center, lng) => lng + 360 * Math.round((center - lng) / 360);

/// Formats the time of an event. An event after midnight can count for the previous day. The text then
/// contains both days.
function whenText({ day, at }) {
  if (!at) return dayText(day);
  const date = dayText(at);
  const clock = clockText(at);
  return at.startsWith(day) ? texts.time(date, clock) : texts.timeForDay(date, clock, dayText(day));
}

function readEvent(event) {
  return {
    title: event.title, when: event.at ?? event.day, color: event.color, status: event.status, habit: event.habit,
    text: event.comment,
    date: whenText(event),
    words: [event.outcome, event.unplanned ? texts.unplanned : null].filter(Boolean).join(', '),
  };
}

function readItem(item) {
  return {
    title: item.name, when: item.posted_at, text: item.description, date: posted(item),
    words: item.expires ? texts.stateUntil(item.state, dayText(item.expires)) : item.state,
  };
}

function readPost(post) {
  return {
    title: post.caption || untitled(post), when: post.posted_at, text: null, date: posted(post),
    words: '',
  };
}

/// Returns the title of a post without a caption: "Photo" if it has a photo, otherwise its time.
function untitled({ has_photo: hasPhoto, posted_at: at }) {
  if (hasPhoto !== false) return texts.photo;
  return at ? texts.postAt(clockText(at)) : texts.post;
}

const posted = ({ posted_at: at }) => (at ? texts.posted(dayText(at)) : null);

/// Sorts hits by distance if they have distances, otherwise newest first.
export function inOrder(hits) {
  const age = hit => -(Date.parse(hit.when) || 0);
  return [...hits].sort((one, other) => (one.distance ?? 0) - (other.distance ?? 0) || age(one) - age(other));
}

export const hitName = hit => [hit.title, hit.user, hit.date, hit.away].filter(Boolean).join(', ');
