// The events of the history: those of the copy on this device, and those of the server.

import { useEffect, useMemo } from '../../library.js';
import { useStore } from '../../store/useStore.js';
import { addDays } from '../../texts/formats.js';
import { requestOf } from './historyFilter.js';
import { localEvents } from './localEvents.js';
import { useRemoteEvents } from './useRemoteEvents.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */
/** @typedef {import('./HistoryRow.js').HistoryEntry} HistoryEntry */

/** The copy has the events of more than these days. */
const COPIED_DAYS = 365;
const PAGE_SIZE = 200;

/**
 * @typedef {object} History
 * @property {readonly HistoryEntry[]} events
 * @property {boolean} isComplete whether there are no further events
 * @property {boolean} isLoading
 * @property {boolean} hasFailed whether the last request has failed
 * @property {boolean} isLocal whether events of other users come from the copy, because the device is offline
 * @property {() => void} readMore
 */

/**
 * Returns the events that a filter selects. Own events come from the copy, and from the server if they are older. The
 * events of other users come from the server, and while the device is offline from the copy.
 * @param {StoreInterface} store
 * @param {HistoryFilter} filter
 * @returns {History}
 */
export function useHistory(store, filter) {
  const { account, online, today } = useStore(store, ({ state }) => state);
  const records = useStore(store, current => current.records('events'));
  const habits = useStore(store, current => current.records('habits'));
  const isMine = filter.scope === 'mine';
  const firstCopied = addDays(today, -COPIED_DAYS);
  const isFromCopy = isMine || !online;
  const own = useMemo(() => {
    const copied = isMine && online ? { ...filter, from: laterOf(filter.from, firstCopied) } : filter;
    return isFromCopy ? localEvents({ events: records, habits, person: account.id }, copied) : [];
  }, [records, habits, filter, firstCopied, online]);
  const remote = useRemoteEvents(online ? remoteQuery(filter, firstCopied) : undefined);
  const events = useMemo(() => {
    const isDeleted = (/** @type {HistoryEntry} */ event) => isDeletedHere(store, event, firstCopied);
    return [...own, ...remote.events.filter(event => !isDeleted(event))];
  }, [own, remote.events, records]);
  const isFirstPageMissing = events.length === 0 && remote.next !== undefined && remote.state === 'waiting';
  useEffect(() => {
    if (isFirstPageMissing) remote.readMore();
  }, [isFirstPageMissing, remote.next]);
  const hasFailed = remote.state === 'failed';
  useEffect(() => {
    // The device may be offline without knowing it: an exchange finds out, and the copy then has the events.
    if (hasFailed) void store.sync();
  }, [hasFailed]);
  return {
    events,
    isComplete: remote.next === undefined,
    isLoading: remote.state === 'loading',
    hasFailed,
    isLocal: !online && !isMine,
    readMore: remote.readMore,
  };
}

/**
 * Returns the query of the events that the server has to send, or `undefined` if the copy has all of them.
 * @param {HistoryFilter} filter
 * @param {string} firstCopied the first day of which the copy has all own events
 */
function remoteQuery(filter, firstCopied) {
  if (filter.scope !== 'mine') return requestOf(filter, PAGE_SIZE);
  if (filter.from >= firstCopied) return undefined;
  const lastDay = addDays(firstCopied, -1);
  const to = filter.to && filter.to < lastDay ? filter.to : lastDay;
  return requestOf({ ...filter, to }, PAGE_SIZE);
}

/**
 * Returns whether an event of the server was deleted on this device: the copy should have it, and does not.
 * @param {StoreInterface} store
 * @param {HistoryEntry} event
 * @param {string} firstCopied
 */
function isDeletedHere(store, { id, properties }, firstCopied) {
  const isOwn = properties.user === store.state.account.id;
  return isOwn && properties.day >= firstCopied && !store.find('events', id);
}

/**
 * @param {string} first a day, or an empty text
 * @param {string} second
 */
function laterOf(first, second) {
  return first > second ? first : second;
}
