// The state that the pill and the cards of the application show.

import { inOrder } from './queue.js';
import { problemOf } from './visible.js';

/** @typedef {import('./types').State} State */
/** @typedef {import('./client.js').Client} Client */

/**
 * @param {Client} client
 * @param {{online: boolean, signedIn: boolean, syncing: boolean, newVersion: boolean}} status
 * @returns {State}
 */
export function stateOf({ copy, account, days, storage }, status) {
  const entries = inOrder(copy.waiting.values());
  const waiting = entries.filter(entry => !entry.problem);
  const since = waiting.map(({ enteredAt }) => enteredAt).sort();
  const lastSync = copy.meta.get('lastSync') ?? null;
  return {
    ...status,
    loaded: lastSync !== null,
    waiting: waiting.length,
    waitingSince: since[0] ?? null,
    problems: entries.filter(entry => entry.problem).map(problemOf),
    lastSync,
    account,
    today: days.today,
    storage,
    settings: copy.meta.get('settings') ?? {},
  };
}
