// The background of a map: the base map, and over it the tiles of a tile server or a graticule.

import { BaseMap } from './base-map.js';
import { element } from './dom.js';
import { Graticule } from './graticule.js';

/// Adds the background. `tiles` is the URL template of a tile server, or undefined for a graticule.
export function addBackground(map, tiles, attribution) {
  if (tiles) {
    // Leaflet interprets the attribution as HTML, so the text is escaped.
    const escaped = element('span', {}, attribution ?? '').innerHTML;
    L.tileLayer(tiles, { attribution: escaped, maxZoom: 19 }).addTo(map);
  } else {
    new Graticule().addTo(map);
  }
  new BaseMap().addTo(map);
}
