// The marks on the map: one for each hit, gathered in clusters.

import { element, shape, countText } from '/map/dom.js';
import { hitName } from '/map/layers.js';

/// All markers of all layers, in clusters. Without animations: then what the map shows is settled when a move ends.
export function makeClusters() {
  return L.markerClusterGroup({
    animate: false, showCoverageOnHover: false, maxClusterRadius: 44, spiderfyDistanceMultiplier: 1.3,
    spiderLegPolylineOptions: { className: 'spider-leg', weight: 1.5 },
    iconCreateFunction: cluster => new ClusterIcon({ count: cluster.getChildCount() }),
  });
}

/// Moves the map until a marker is on it by itself, and not in a cluster; those at one place are spread out.
///
/// zoomToShowLayer() of the clusters does this too, but ends half-way where a zoom is not animated.
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

// Icons are made when they come into view, which for most of some thousand markers is never.
const HitIcon = L.DivIcon.extend({
  options: { iconSize: [28, 28], popupAnchor: [0, -7], className: 'hit-icon' },
  createIcon() {
    const { hit } = this.options;
    const icon = L.DivIcon.prototype.createIcon.call(this);
    icon.setAttribute('role', 'button');
    icon.setAttribute('aria-label', hitName(hit));
    icon.append(shape(hit.layer, hit.color));
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
    icon.setAttribute('aria-label', `${countText(count, 'marker')}: zoom in`);
    icon.append(element('span', {}, String(count)));
    return icon;
  },
});
