import { Icon } from '../../components/Icon.js';
import { html, useEffect, useRef, useState } from '../../library.js';
import { address } from '../../root.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { mapAddress } from './EventDetails.js';
import { findPosition } from './findPosition.js';

/** @typedef {import('../../store/types').Visible['geometry']} Geometry */

/**
 * Adds and removes the position of an event. An event without a position can always be saved.
 * @param {object} properties
 * @param {Geometry} properties.geometry
 * @param {boolean} properties.isShared whether the account permits positions
 * @param {(geometry: Geometry) => void} properties.onChange
 */
export function PlacePicker({ geometry, isShared, onChange }) {
  const [message, setMessage] = useState('');
  const [isSearching, setSearching] = useState(false);
  const isShown = useIsShown();
  const add = async () => {
    setSearching(true);
    setMessage(text('place.searching'));
    const result = await findPosition();
    if (!isShown.current) return;
    setSearching(false);
    setMessage(messageOf(result));
    if (result.kind === 'found') onChange({ type: 'Point', coordinates: result.coordinates });
  };
  const remove = () => {
    setMessage('');
    onChange(null);
  };
  if (!isShared && !geometry) {
    const link = html`<a href=${address('account')}>${text('nav.account')}</a>`;
    return html`<p class="soft">${text('place.notShared')} ${link}</p>`;
  }
  return html`
    <div class="place-picker">
      <div class="actions">
        ${geometry
          ? html`
            <span class="is-added"><${Icon} name="place" />${text('place.added')}</span>
            <a href=${mapAddress(geometry.coordinates)} target="_blank">${text('place.onMap')}</a>
            <button type="button" class="button" onClick=${remove}>${text('place.remove')}</button>`
          : html`
            <button type="button" class="button" disabled=${isSearching} onClick=${add}>
              <${Icon} name="place" />${text('place.add')}
            </button>`}
      </div>
      <p class="soft" role="status">${message}</p>
    </div>`;
}

/** @param {import('./findPosition.js').Found | import('./findPosition.js').NotFound} result */
function messageOf(result) {
  switch (result.kind) {
    case 'found': return text('place.accuracy', { meters: numberText(Math.round(result.accuracy)) });
    case 'denied': return text('place.denied');
    case 'refused': return text('place.refused');
    case 'unavailable': return text('place.unavailable');
  }
}

/** Whether the component still exists: a search can end after the sheet is closed. */
function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
