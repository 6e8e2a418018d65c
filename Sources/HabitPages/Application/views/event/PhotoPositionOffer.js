import { Icon } from '../../components/Icon.js';
import { html, useEffect, useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { coordinatesOf, isSamePosition } from './coordinates.js';

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
      const { exifPosition } = await import('./exifPosition.js');
      const found = await exifPosition(file);
      if (isCurrent) setCoordinates(found && coordinatesOf(...found));
    };
    setCoordinates(null);
    // Without a connection and without the service worker, the page cannot load the file, and offers no position.
    if (photo) read(photo).catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [photo]);
  return coordinates;
}
