// The markers of the map: one for each hit, grouped in clusters.

import { element, shape } from './dom.js';
import { hitName } from './layers.js';
import { texts } from './texts.js';

/// Creates the group of all markers. It has no animations, so that the map is complete when a move ends.
export function makeClusters() {
  return L.markerClusterGroup({
    animate: false, showCoverageOnHover: false, maxClusterRadius: 44, spiderfyDistanceMultiplier: 1.3,
    spiderLegPolylineOptions: { className: 'spider-leg', weight: 1.5 },
    iconCreateFunction: cluster => new ClusterIcon({ count: cluster.getChildCount() }),
  });
}

/// Zooms in until a marker is visible outside of a cluster. Markers at the same position are spread out.
///
/// The method zoomToShowLayer() of the plugin does not work without a zoom animation.
export function reveal(marker, clusters, map) {
  if (clusters.getVisibleParent(marker) !== marker) {
    const zoom = Math.min(marker.__parent._zoom + 1, map.getMaxZoom());
    map.setView(marker.getLatLng(), Math.max(zoom, map.getZoom()), { animate: false });
  }
  const shown = clusters.getVisibleParent(marker);
  if (shown !== marker) shown?.spiderfy();
}

export function makeMarker(hit) {
  const marker = L.marker(hit.place, { icon: new HitIcon({ hit }), title: hitName(hit), keyboard: true });
  marker.hit = hit;
  return marker;
}

// Icons are created when they become visible, because most of several thousand markers never do.
const HitIcon = L.DivIcon.extend({
  options: { iconSize: [28, 28], popupAnchor: [0, -7], className: 'hit-icon' },
  createIcon() {
    const { hit } = this.options;
    const icon = L.DivIcon.prototype.createIcon.call(this);
    icon.setAttribute('role', 'button');
    icon.setAttribute('aria-label', hitName(hit));
    icon.append(shape(hit.layer, hit));
    return icon;
  },
});

const ClusterIcon = L.DivIcon.extend({
  createIcon() {
    const { count } = this.options;
    const side = 30 + 4 * Math.floor(Math.log10(count) * 2);
    this.options.iconSize = L.point(side, side);
    this.options.className = 'cluster';
    const icon = L.DivIcon.prototype.createIcon.call(this);
    icon.setAttribute('role', 'button');
    icon.setAttribute('aria-label', texts.cluster(count));
    icon.append(element('span', {}, String(count)));
    return icon;
  },
});
