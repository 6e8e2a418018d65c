// The users whom the person blocks, which only the server knows.

import { useToast } from '../../components/Toast.js';
import { useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { useServerData } from '../useServerData.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

/**
 * Returns the blocked users, and the function that blocks or unblocks one.
 * @param {StoreInterface} store
 */
export function useBlocks(store) {
  const [version, setVersion] = useState(0);
  const list = useServerData('user/blocks', version);
  const showToast = useToast();
  const change = async (/** @type {(user: string) => Promise<boolean>} */ request, /** @type {string} */ user) => {
    const isDone = await request(user);
    if (!isDone) showToast({ text: text('people.failed') });
    setVersion(current => current + 1);
    await store.sync();
  };
  const blocks = /** @type {{ user: string }[]} */ (list?.blocks ?? []);
  return { users: blocks.map(({ user }) => user), change };
}
