import { Sheet } from '../components/Sheet.js';
import { html, useEffect, useState } from '../library.js';
import { address } from '../root.js';
import { useStore } from '../store/useStore.js';
import { text } from '../texts/text.js';

/** @typedef {import('../store/types').StoreInterface} StoreInterface */

/**
 * Signs out and deletes the copy of this device. Before entries would be lost, the person decides about them.
 * @param {{ store: StoreInterface, onClose: () => void }} properties
 */
export function SignOutSheet({ store, onClose }) {
  const [result, setResult] = useState(/** @type {'waiting' | 'offline' | undefined} */ (undefined));
  const { waiting, problems } = useStore(store, ({ state }) => state);
  const signOut = async (/** @type {boolean} */ discard) => {
    setResult(undefined);
    const next = await store.signOut(discard);
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
 * @param {'waiting' | 'offline' | undefined} result
 * @param {number} count
 */
function messageOf(result, count) {
  if (result === 'waiting') return text('signOut.waiting', { count });
  return text(result === 'offline' ? 'signOut.offline' : 'signOut.running');
}
