// Stores the filters and the view in the fragment of the URL, so that a link restores them.
// The fragment contains no token.

/// Returns the filters and the view of the fragment, with default values for missing parameters. Without a parameter
/// `layers`, the layers are null.
export function readAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const get = name => fragment.get(name) ?? '';
  return {
    layers: fragment.has('layers') ? get('layers').split(',') : null,
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
  // Slashes and commas are valid in a fragment. Links are easier to read if they are not percent-encoded.
  const text = String(fragment).replaceAll('%2F', '/').replaceAll('%2C', ',');
  history.replaceState(null, '', `#${text}`);
}

// Five decimal places are about one meter.
const place = ({ lat, lng }, separator) => [lat, lng].map(degrees => +degrees.toFixed(5)).join(separator);

function readView(text) {
  const [zoom, lat, lng] = text.split('/').map(Number);
  return isPlace(lat, lng) && zoom >= 0 && zoom <= 22 ? { zoom, lat, lng } : null;
}

function readCircle(text) {
  const [lat, lng, km] = text.split(',').map(Number);
  return isPlace(lat, lng) && km > 0 ? { lat, lng, km } : null;
}

// Text that is not a number is parsed as NaN, and comparisons with NaN are false.
const isPlace = (lat, lng) => Math.abs(lat) <= 90 && Math.abs(lng) <= 540;
