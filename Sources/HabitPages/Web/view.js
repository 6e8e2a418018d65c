// The area whose features the page has loaded.

/// Returns the visible box plus a margin, so that a short pan needs no request, or null if the whole world is visible.
export function visibleBox(map) {
  const bounds = map.getBounds().pad(0.2);
  return bounds.getEast() - bounds.getWest() >= 360 ? null : bounds;
}

/// Returns the value of the parameter `bbox`. West is greater than east if the box crosses the antimeridian (RFC 7946,
/// section 5.2).
export function bboxText(bounds) {
  if (!bounds) return '';
  const latitude = degrees => Math.max(-90, Math.min(90, degrees));
  const west = L.latLng(0, bounds.getWest()).wrap().lng;
  const east = L.latLng(0, bounds.getEast()).wrap().lng;
  return [west, latitude(bounds.getSouth()), east, latitude(bounds.getNorth())].map(number => +number.toFixed(6)).join(',');
}

/// The last load: its box (null for the world), its zoom, and whether it reached the limit of a layer.
export class LoadedPart {
  constructor(box, zoom, more) {
    Object.assign(this, { box, zoom, more });
  }

  /// Whether this load contains the features of the visible box. If it reached the limit, a higher zoom needs another load.
  covers(map) {
    if (this.more && map.getZoom() > this.zoom) return false;
    return this.box === null || this.box.contains(map.getBounds());
  }
}
