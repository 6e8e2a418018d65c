import { Sheet } from '../components/Sheet.js';
import { html, useEffect, useState } from '../library.js';
import { address } from '../root.js';
import { useStore } from '../store/useStore.js';
import { text } from '../texts/text.js';

/** @typedef {import('../store/types').StoreInterface} StoreInterface */
/** @typedef {'waiting' | 'offline' | 'failed'} Result */

/**
 * Signs out and deletes the copy of this device. Before entries would be lost, the person decides about them.
 * @param {{ store: StoreInterface, onClose: () => void }} properties
 */
export function SignOutSheet({ store, onClose }) {
  const [result, setResult] = useState(/** @type {Result | undefined} */ (undefined));
  const { waiting, problems } = useStore(store, ({ state }) => state);
  const signOut = async (/** @type {boolean} */ discard) => {
    setResult(undefined);
    const next = await store.signOut(discard).catch(() => /** @type {const} */ ('failed'));
    if (next === 'done') location.assign(address(''));
    else setResult(next);
  };
  useEffect(() => void signOut(false), []);
  return html`
    <${Sheet} title=${text('signOut.title')} onClose=${onClose}>
      <p role="status">${messageOf(result, waiting + problems.length)}</p>
      ${result && html`
        <div class="actions">
          <button type="button" class="button" onClick=${() => signOut(false)}>${text('action.retry')}</button>
          ${result === 'waiting' && html`
            <button type="button" class="button is-alarming" onClick=${() => signOut(true)}>
              ${text('signOut.discard')}
            </button>`}
        </div>`}
    <//>`;
}

/**
 * @param {Result | undefined} result
 * @param {number} count
 */
function messageOf(result, count) {
  switch (result) {
    case 'waiting': return text('signOut.waiting', { count });
    case 'offline': return text('signOut.offline');
    case 'failed': return text('signOut.failed');
    default: return text('signOut.running');
  }
}
