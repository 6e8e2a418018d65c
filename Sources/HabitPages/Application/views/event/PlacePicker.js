import { Icon } from '../../components/Icon.js';
import { html, useEffect, useMemo, useRef, useState } from '../../library.js';
import { address } from '../../root.js';
import { distanceText, numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { distance } from '../history/distance.js';
import { isSamePosition } from './coordinates.js';
import { earlierPositions } from './earlierPositions.js';
import { mapAddress } from './EventDetails.js';
import { findPosition } from './findPosition.js';
import { PositionMap } from './PositionMap.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./eventDraft.js').Draft} Draft */

/**
 * Adds, moves and removes the position of an event. An event without a position can always be saved.
 * @param {object} properties
 * @param {StoreInterface} properties.store
 * @param {string | undefined} properties.event the ID of the event, or `undefined` for a new one
 * @param {Draft} properties.draft
 * @param {(part: Partial<Draft>) => void} properties.onChange
 */
export function PlacePicker({ store, event, draft: { geometry, origin }, onChange }) {
  const [message, setMessage] = useState('');
  const [isSearching, setSearching] = useState(false);
  const isShown = useIsShown();
  const events = store.records('events');
  const { account } = store.state;
  const earlier = useMemo(() => earlierPositions(events, { user: account.id, except: event }), [events, event]);
  const isShared = account.share_location !== false;
  const add = async () => {
    setSearching(true);
    setMessage(text('place.searching'));
    const result = await findPosition();
    if (!isShown.current) return;
    setSearching(false);
    setMessage(result.kind === 'found' ? '' : messageOf(result));
    if (result.kind === 'found') {
      const { coordinates, accuracy } = result;
      onChange({ geometry: { type: 'Point', coordinates }, origin: { coordinates, accuracy } });
    }
  };
  if (!isShared && !geometry) {
    const link = html`<a href=${address('account')}>${text('nav.account')}</a>`;
    return html`<p class="soft">${text('place.notShared')} ${link}</p>`;
  }
  const isMoved = geometry && origin && !isSamePosition(geometry.coordinates, origin.coordinates);
  const move = (/** @type {[number, number]} */ coordinates) => onChange({ geometry: { type: 'Point', coordinates } });
  return html`
    <div class="place-picker">
      <div class="actions">
        ${geometry
          ? html`
            <span class="is-added"><${Icon} name="place" />${text('place.added')}</span>
            <a href=${mapAddress(geometry.coordinates)} target="_blank">${text('place.onMap')}</a>
            <button type="button" class="button" onClick=${() => onChange({ geometry: null, origin: null })}>
              ${text('place.remove')}
            </button>`
          : html`
            <button type="button" class="button" disabled=${isSearching} onClick=${add}>
              <${Icon} name="place" />${text('place.add')}
            </button>`}
      </div>
      <p class="soft" role="status">${placeText({ geometry, origin }) || message}</p>
      ${geometry && origin && isShared && html`
        <${PositionMap} key=${origin.coordinates.join()} position=${geometry.coordinates} origin=${origin}
          earlier=${earlier} onMove=${move} />`}
      ${isMoved && html`
        <div class="actions">
          <button type="button" class="button" onClick=${() => move(origin.coordinates)}>${text('place.back')}</button>
        </div>`}
    </div>`;
}

/**
 * Returns the accuracy of a found position, or how far it was moved. A moved position has no accuracy.
 * @param {Pick<Draft, 'geometry' | 'origin'>} draft
 */
function placeText({ geometry, origin }) {
  if (!geometry || !origin) return '';
  const { coordinates, accuracy } = origin;
  if (!isSamePosition(geometry.coordinates, coordinates)) {
    return text('place.moved', { distance: distanceText(Math.round(distance(coordinates, geometry.coordinates))) });
  }
  return accuracy === undefined ? '' : text('place.accuracy', { meters: numberText(Math.round(accuracy)) });
}

/** @param {import('./findPosition.js').NotFound} result */
function messageOf(result) {
  switch (result.kind) {
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
