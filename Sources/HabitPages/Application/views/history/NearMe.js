import { Field } from '../../components/Field.js';
import { Icon } from '../../components/Icon.js';
import { html, useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { findPosition } from '../event/findPosition.js';
import { isDistance } from './historyFilter.js';

/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */

/** @type {Record<'denied' | 'refused' | 'unavailable', import('../../texts/text.js').TextKey>} */
const MESSAGES = { denied: 'history.denied', refused: 'history.refused', unavailable: 'place.unavailable' };

/**
 * The filter for events near the person. The browser requests the position only after a tap on the button.
 * @param {{ filter: HistoryFilter, onChange: (changes: Partial<HistoryFilter>) => void }} properties
 */
export function NearMe({ filter, onChange }) {
  const [kilometers, setKilometers] = useState(String(filter.kilometers));
  const [message, setMessage] = useState('');
  const isValid = isDistance(toNumber(kilometers));
  const input = (/** @type {string} */ value) => {
    setKilometers(value);
    if (isDistance(toNumber(value))) onChange({ kilometers: toNumber(value) });
  };
  const find = async () => {
    setMessage(text('place.searching'));
    const result = await findPosition();
    setMessage(result.kind === 'found' ? '' : text(MESSAGES[result.kind]));
    if (result.kind === 'found') onChange({ position: result.coordinates });
  };
  const forget = () => onChange({ position: null });
  const isOn = filter.position !== null;
  return html`
    <div class="near-me">
      <div class="search-line">
        <${Field} id="kilometers" label=${text('history.kilometers')} value=${kilometers} onInput=${input}
          problem=${isValid ? undefined : text('history.kilometersInvalid')} attributes=${{ inputmode: 'decimal' }} />
        <button type="button" class="button" aria-pressed=${String(isOn)} onClick=${isOn ? forget : find}>
          <${Icon} name="place" />${text('history.near')}
        </button>
      </div>
      <p class="soft" role="status">${message || (isOn && text('history.nearHint'))}</p>
    </div>`;
}

/**
 * Reads a number, which people write with a point or with a comma.
 * @param {string} value
 */
function toNumber(value) {
  return Number(value.trim().replace(',', '.'));
}
