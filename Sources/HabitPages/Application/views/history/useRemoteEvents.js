// The history from the server, page by page.

import { useEffect, useRef, useState } from '../../library.js';
import { address } from '../../root.js';
import { personHeader } from '../../store/person.js';

/** @typedef {import('./HistoryRow.js').HistoryEntry} HistoryEntry */

/**
 * The pages that were read so far.
 * @typedef {object} Pages
 * @property {readonly HistoryEntry[]} events
 * @property {string | undefined} next the query of the next page; undefined after the last page
 * @property {'waiting' | 'loading' | 'failed'} state
 */

const PATH = 'collections/events/items';

/**
 * Returns the events of a query that were read so far, and the function that reads the next page. The hook reads no
 * page before the first call.
 * @param {string | undefined} query the query of the first page; undefined for no events
 * @returns {Pages & { readMore: () => void }}
 */
export function useRemoteEvents(query) {
  const [pages, setPages] = useState(() => firstPages(query));
  const latest = useRef(pages);
  const request = useRef(/** @type {AbortController | undefined} */ (undefined));
  const show = (/** @type {Pages} */ next) => {
    latest.current = next;
    setPages(next);
  };
  useEffect(() => {
    show(firstPages(query));
    return () => {
      request.current?.abort();
      request.current = undefined;
    };
  }, [query]);
  const readMore = async () => {
    const { events, next } = latest.current;
    if (request.current || next === undefined) return;
    const controller = new AbortController();
    request.current = controller;
    show({ events, next, state: 'loading' });
    const page = await readPage(next, controller.signal);
    if (request.current !== controller) return;
    request.current = undefined;
    if (page) show({ events: [...events, ...page.events], next: page.next, state: 'waiting' });
    else show({ events, next, state: 'failed' });
  };
  return { ...pages, readMore };
}

/**
 * @param {string | undefined} query
 * @returns {Pages}
 */
function firstPages(query) {
  return { events: [], next: query, state: 'waiting' };
}

/**
 * Returns a page of events, or `undefined` if the server cannot be reached or refuses the request.
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<{ events: HistoryEntry[], next: string | undefined } | undefined>}
 */
async function readPage(query, signal) {
  try {
    const headers = { Accept: 'application/geo+json', ...personHeader() };
    const response = await fetch(`${address(PATH)}?${query}`, { signal, headers });
    if (!response.ok) return undefined;
    const { features, links } = await response.json();
    return { events: features, next: nextQuery(links) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the query of the next page. Its link has the public address of the server, which can differ from that of the
 * page.
 * @param {{ rel: string, href: string }[]} links
 */
function nextQuery(links) {
  const next = links.find(({ rel }) => rel === 'next');
  return next && new URL(next.href).search.slice(1);
}
