// Applies the changes of the server to the copy.

import { isEqual, keyOf, recordOf } from './fields.js';
import { reconcile, meet } from './merge.js';
import { replacing } from './edits.js';

/** @typedef {import('./types').Change} Change */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./copy.js').Copy} Copy */

/**
 * Returns the operations of a page of changes, which also store the token of the next page.
 * @param {Copy} copy
 * @param {{changes: Change[], more: boolean, token: string}} page
 * @returns {Operation[]}
 */
export function receiving(copy, page) {
  /**
   * The records after the changes of the page.
   * @type {Map<string, Operation>}
   */
  const written = new Map();
  for (const change of page.changes) {
    for (const operation of operationsOf(copy, change, written)) written.set(operation.key, operation);
  }
  const token = { part: /** @type {const} */ ('meta'), key: 'token', value: page.token };
  return [...written.values(), token];
}

/**
 * @param {Copy} copy
 * @param {Change} change
 * @param {ReadonlyMap<string, Operation>} written
 * @returns {Operation[]}
 */
function operationsOf(copy, { action, collection, id, user, feature, version }, written) {
  if (action === 'clear') return clearing(copy, collection, user, written);
  if (action === 'delete' && id) return [{ part: 'records', key: keyOf(collection, id) }];
  if (!feature || !version) return [];
  const record = recordOf(collection, feature, version);
  return [{ part: 'records', key: record.key, value: record }];
}

/**
 * @param {Copy} copy
 * @param {string} collection
 * @param {string | undefined} user only the records of this user
 * @param {ReadonlyMap<string, Operation>} written
 * @returns {Operation[]}
 */
function clearing(copy, collection, user, written) {
  const added = [...written.values()].map(operation => operation.value).filter(record => record !== undefined);
  const records = [...copy.records.values(), ...added];
  const cleared = records.filter(record => record.collection === collection && (!user || record.fields.user === user));
  return cleared.map(record => ({ part: 'records', key: record.key }));
}

/**
 * Returns the operations that base the waiting changes on the present records of the server. A change that may have
 * reached the server stays unchanged until its repetition has a result.
 * @param {Copy} copy a complete copy
 * @returns {Operation[]}
 */
export function rebasing(copy) {
  const settled = [...copy.waiting.values()].filter(entry => !entry.sending);
  return settled.flatMap(entry => rebased(copy, entry));
}

/**
 * @param {Copy} copy
 * @param {Waiting} entry
 * @returns {Operation[]}
 */
function rebased(copy, entry) {
  const other = entry.problem?.other && copy.records.get(entry.problem.other);
  // A change of the other event that waits would be lost.
  if (other && copy.waiting.has(other.key)) return [];
  const after = other ? meet(entry, other) : reconcile(entry, copy.records.get(entry.key));
  return isEqual(after, entry) ? [] : replacing(entry, after, entry.key);
}
