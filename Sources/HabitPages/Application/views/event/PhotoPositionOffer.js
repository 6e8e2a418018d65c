import { Icon } from '../../components/Icon.js';
import { html, useEffect, useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { isSamePosition } from './coordinates.js';
import { exifPosition } from './exifPosition.js';

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */
/** @typedef {import('./eventDraft.js').Draft} Draft */

/**
 * Offers the position of a chosen photo. The event gets it only after a tap.
 * @param {object} properties
 * @param {Draft} properties.draft
 * @param {(part: Partial<Draft>) => void} properties.onChange
 */
export function PhotoPositionOffer({ draft: { photo, origin }, onChange }) {
  const coordinates = usePosition(photo);
  const isUsed = coordinates && origin && isSamePosition(coordinates, origin.coordinates);
  const use = () => {
    if (coordinates) onChange({ geometry: { type: 'Point', coordinates }, origin: { coordinates } });
  };
  return html`
    <div class="actions photo-position" role="status">
      ${coordinates && !isUsed && html`
        <span>${text('photo.hasPosition')}</span>
        <button type="button" class="button" onClick=${use}>
          <${Icon} name="place" />${text('photo.usePosition')}
        </button>`}
    </div>`;
}

/**
 * Returns the position in the metadata of a photo.
 * @param {Blob | null | undefined} photo
 */
function usePosition(photo) {
  const [coordinates, setCoordinates] = useState(/** @type {Coordinates | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const read = async (/** @type {Blob} */ file) => {
      const found = await exifPosition(file);
      if (isCurrent) setCoordinates(found);
    };
    setCoordinates(null);
    if (photo) void read(photo);
    return () => {
      isCurrent = false;
    };
  }, [photo]);
  return coordinates;
}
