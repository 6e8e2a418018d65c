// Figures that only the server calculates.

import { useEffect, useState } from '../library.js';
import { address } from '../root.js';

/**
 * A document of the server.
 * @typedef {{ content: any, isCurrent: boolean }} ServerData `isCurrent` is false if a later request has failed
 */

/**
 * The documents of this visit, which are shown at once when a view opens again.
 * @type {Map<string, any>}
 */
const documents = new Map();
const MOST_DOCUMENTS = 50;

/**
 * Returns a JSON document of the server, or `undefined` without one.
 * @param {string} path the path below the root
 * @param {unknown} version the document is read again when this value changes, such as the time of the last sync
 * @returns {ServerData | undefined}
 */
export function useServerData(path, version) {
  const [state, setState] = useState({ path, isCurrent: true });
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const content = await readDocument(path, controller.signal);
      if (controller.signal.aborted) return;
      if (content !== undefined) keep(path, content);
      setState({ path, isCurrent: content !== undefined });
    };
    read();
    return () => controller.abort();
  }, [path, version]);
  const content = documents.get(path);
  if (content === undefined) return undefined;
  return { content, isCurrent: state.path !== path || state.isCurrent };
}

/**
 * Returns a JSON document, or `undefined` if the server cannot be reached or has none.
 * @param {string} path
 * @param {AbortSignal} signal
 */
async function readDocument(path, signal) {
  try {
    const response = await fetch(address(path), { signal, headers: { Accept: 'application/json' } });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path
 * @param {any} content
 */
function keep(path, content) {
  documents.delete(path);
  documents.set(path, content);
  const [oldest] = documents.keys();
  if (documents.size > MOST_DOCUMENTS) documents.delete(oldest);
}
