import { html, useState } from '../../library.js';
import { text } from '../../texts/text.js';

/**
 * The photo of an event. A photo that is not on this device needs a connection.
 * @param {{ address: string | null }} properties
 */
export function EventPhoto({ address }) {
  const [failed, setFailed] = useState(/** @type {string | null} */ (null));
  if (!address) return null;
  if (failed === address) return html`<p class="photo-missing">${text('photo.needsConnection')}</p>`;
  return html`<img class="photo" src=${address} alt=${text('photo.alt')} onError=${() => setFailed(address)} />`;
}
