// The background of a map: the base map, and over it either the tiles of a tile server, or a graticule and names of cities.

import { BaseMap, CityNames } from './base-map.js';
import { element } from './dom.js';
import { Graticule } from './graticule.js';

/// Adds the background. `tiles` is the URL template of a tile server, or undefined.
export function addBackground(map, tiles, attribution) {
  if (tiles) {
    // Leaflet interprets the attribution as HTML, so the text is escaped.
    const escaped = element('span', {}, attribution ?? '').innerHTML;
    L.tileLayer(tiles, { attribution: escaped, maxZoom: 19 }).addTo(map);
  } else {
    new CityNames().addTo(map);
    new Graticule().addTo(map);
  }
  new BaseMap().addTo(map);
}
