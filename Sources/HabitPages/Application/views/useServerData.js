// Documents that only the server can make, such as reports.

import { useEffect, useReducer } from '../library.js';
import { address } from '../root.js';
import { personHeader } from '../store/person.js';

const MOST_DOCUMENTS = 50;

/**
 * The documents of this visit by their paths, which a view shows until it has read newer ones.
 * @type {Map<string, any>}
 */
const documents = new Map();

/**
 * Returns the last JSON document of a path, or `undefined` before the first one is read.
 * @param {string | undefined} path the path below the root, or `undefined` as long as the server has no such document
 * @param {unknown} version the document is read again when this value changes, such as the time of the last sync
 * @returns {any}
 */
export function useServerData(path, version) {
  const [, render] = useReducer(count => count + 1, 0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    const read = async () => {
      const content = await readDocument(path, controller.signal);
      if (controller.signal.aborted || content === undefined) return;
      keep(path, content);
      render(undefined);
    };
    read();
    return () => controller.abort();
  }, [path, version]);
  return path === undefined ? undefined : documents.get(path);
}

/**
 * Returns a JSON document, or `undefined` if the request fails.
 * @param {string} path
 * @param {AbortSignal} signal
 */
async function readDocument(path, signal) {
  try {
    const headers = { Accept: 'application/json', ...personHeader() };
    const response = await fetch(address(path), { signal, headers });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a document, and removes the oldest one if there are too many.
 * @param {string} path
 * @param {any} content
 */
function keep(path, content) {
  documents.delete(path);
  documents.set(path, content);
  const [oldest] = documents.keys();
  if (documents.size > MOST_DOCUMENTS) documents.delete(oldest);
}
