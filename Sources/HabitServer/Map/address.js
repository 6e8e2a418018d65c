// The filters and the view in the location's fragment, so that a link shows the same again. Never a token.

/// What a fragment says; what it does not say is as it is at first.
export function readAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const get = name => fragment.get(name) ?? '';
  return {
    layers: fragment.has('layers') ? get('layers').split(',') : ['mine'],
    view: readView(get('map')),
    circle: readCircle(get('near')),
    habit: get('habit'), comment: get('comment'), from: get('from'), to: get('to'),
  };
}

export function writeAddress({ layers, view, circle, habit, comment, from, to }) {
  const fragment = new URLSearchParams();
  if (view) fragment.set('map', `${view.zoom}/${place(view, '/')}`);
  fragment.set('layers', layers.join(','));
  if (circle) fragment.set('near', `${place(circle, ',')},${circle.km}`);
  for (const [name, value] of Object.entries({ habit, comment, from, to })) if (value) fragment.set(name, value);
  // Slashes and commas need no escape in a fragment, and a link is easier to read without.
  const text = String(fragment).replaceAll('%2F', '/').replaceAll('%2C', ',');
  history.replaceState(null, '', `#${text}`);
}

// Five decimals are about a metre.
const place = ({ lat, lng }, separator) => [lat, lng].map(degrees => +degrees.toFixed(5)).join(separator);

function readView(text) {
  const [zoom, lat, lng] = text.split('/').map(Number);
  return isPlace(lat, lng) && zoom >= 0 && zoom <= 22 ? { zoom, lat, lng } : null;
}

function readCircle(text) {
  const [lat, lng, km] = text.split(',').map(Number);
  return isPlace(lat, lng) && km > 0 ? { lat, lng, km } : null;
}

// Comparisons with NaN, which is what anything else than a number becomes, are false.
const isPlace = (lat, lng) => Math.abs(lat) <= 90 && Math.abs(lng) <= 540;
