// Applies the results of sent changes to the copy.

import { featureOf, isEqual, recordOf, wantedFields } from './fields.js';
import { meet, reconcile } from './merge.js';
import { differencesFrom, inserted, newHabitOf } from './queue.js';
import { ownerOf } from './visible.js';
import { replacing } from './edits.js';

/** @typedef {import('./types').ChangeResult} ChangeResult */
/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Sending} Sending */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./copy.js').Copy} Copy */

/**
 * Returns what an entry sends. A change that was sent before is repeated until its result arrives.
 * @param {Waiting} entry
 * @returns {Sending}
 */
export function sendingOf(entry) {
  if (entry.sending) return entry.sending;
  const version = entry.base?.version;
  if (entry.removed) return { action: 'delete', fields: null, version };
  const fields = wantedFields(entry);
  const { photo } = entry.changes;
  return { action: 'put', fields: photo === undefined ? fields : { ...fields, photo }, version };
}

/**
 * Returns a line of the request.
 * @param {Waiting} entry
 * @param {Sending} sending
 * @param {string | null | undefined} photo the photo in base64, null to remove it
 */
export function lineOf({ collection, id }, { action, fields, version }, photo) {
  if (action === 'delete' || !fields) return JSON.stringify({ action, collection, id, version });
  const { photo: name, has_photo, ...values } = fields;
  const feature = featureOf(id, values);
  if (photo !== undefined) feature.properties.photo = photo;
  return JSON.stringify({ action, collection, feature, version });
}

/**
 * Returns the operations of an outcome.
 * @param {Copy} copy
 * @param {string} key the key of the change
 * @param {Sending} sent
 * @param {ChangeResult} outcome
 * @returns {Operation[]}
 */
export function operationsOf(copy, key, sent, outcome) {
  const entry = copy.waiting.get(key);
  // Another tab or the service worker may have sent the same change, and received its result first.
  if (!entry || !isEqual(entry.sending, sent)) return [];
  if (outcome.result === 'refused') return refused(copy, entry, sent, outcome);
  if (outcome.result === 'conflict') return conflicting(copy, entry, outcome);
  return sent.action === 'delete' ? deleted(entry) : stored(copy, entry, sent, outcome.version ?? '');
}

/**
 * The server has stored the sent values. Later edits are based on them.
 * @param {Copy} copy
 * @param {Waiting} entry
 * @param {Sending} sent
 * @param {string} version
 * @returns {Operation[]}
 */
function stored(copy, entry, sent, version) {
  const { key, collection, id } = entry;
  const { photo: sentPhoto, ...values } = sent.fields ?? {};
  const known = copy.records.get(key);
  // After a repetition, the copy can have the record already, with the fields that the server has set.
  const geometry = values.geometry ?? null;
  const sentFields = { ...ownerOf(collection, copy.user), ...known?.fields, ...values, id, geometry };
  const fields = known?.version === version ? known.fields : sentFields;
  const isNewer = known && known.version !== version && known.version !== sent.version;
  const record = isNewer ? known : { key, collection, id, fields, version };
  const { photo } = entry.changes;
  const later = isEqual(photo, sentPhoto) ? undefined : photo;
  // The server may have another form of the sent values, such as a text without spaces at its end.
  const changes = differencesFrom({ fields: { ...sent.fields }, version }, { ...fieldsOf(entry), photo: later });
  const isDone = !entry.removed && Object.keys(changes).length === 0;
  const rebased = { ...entry, base: { fields, version }, changes, sending: undefined };
  const after = isDone ? undefined : rebased;
  return [{ part: 'records', key, value: record }, ...replacing(entry, after, key)];
}

/**
 * The server has deleted the record. If the person has brought it back, it is a new record.
 * @param {Waiting} entry
 * @returns {Operation[]}
 */
function deleted(entry) {
  const isBack = !entry.removed;
  const restored = { ...inserted(entry, { ...fieldsOf(entry), ...photoOf(entry) }), sending: undefined };
  return [{ part: 'records', key: entry.key }, ...replacing(entry, isBack ? restored : undefined, entry.key)];
}

/**
 * @param {Copy} copy
 * @param {Waiting} entry
 * @param {ChangeResult} outcome
 * @returns {Operation[]}
 */
function conflicting(copy, entry, { feature, version, problem }) {
  const waiting = { ...entry, sending: undefined };
  if (!feature || !version) {
    const after = reconcile(waiting, undefined);
    return [{ part: 'records', key: entry.key }, ...replacing(entry, after, entry.key)];
  }
  const theirs = recordOf(entry.collection, feature, version);
  const isOther = problem?.slug === 'event-exists' && feature.id !== entry.id;
  const after = isOther ? metOf(copy, waiting, theirs) : reconcile(waiting, theirs);
  return [{ part: 'records', key: theirs.key, value: theirs }, ...replacing(entry, after, entry.key)];
}

/**
 * The habit has another event on the day of the entry.
 * @param {Copy} copy
 * @param {Waiting} entry
 * @param {import('./types').StoredRecord} theirs
 */
function metOf(copy, entry, theirs) {
  if (entry.removed) return undefined;
  const waitingForOther = copy.waiting.get(theirs.key);
  // The other event may leave the day with its own change.
  const mayLeave = waitingForOther && !waitingForOther.problem && !isInCircle(copy, entry, theirs);
  if (mayLeave) return entry;
  const isMove = entry.base !== null;
  return waitingForOther || isMove ? withProblem(entry, { slug: 'event-exists', field: 'day' }) : meet(entry, theirs);
}

/**
 * Whether events wait for each other, because each one moves to the day of the next one. The server accepts none.
 * @param {Copy} copy
 * @param {Waiting} entry
 * @param {import('./types').StoredRecord} theirs the event on the day to which the entry moves
 */
function isInCircle(copy, entry, theirs) {
  /** @type {import('./types').StoredRecord | undefined} */
  let next = theirs;
  /** @type {Set<string>} */
  const passed = new Set();
  while (next && next.key !== entry.key && !passed.has(next.key)) {
    passed.add(next.key);
    const move = copy.waiting.get(next.key);
    next = move && !move.removed ? occupantOf(copy, move) : undefined;
  }
  return next?.key === entry.key;
}

/**
 * Returns the event that the server has on the day to which an event moves.
 * @param {Copy} copy
 * @param {Waiting} move
 */
function occupantOf(copy, move) {
  const { habit, day } = wantedFields(move);
  const events = [...copy.records.values()].filter(({ collection }) => collection === 'events');
  return events.find(({ key, fields }) => key !== move.key && fields.habit === habit && fields.day === day);
}

/**
 * @param {Copy} copy
 * @param {Waiting} entry
 * @param {Sending} sent
 * @param {ChangeResult} outcome
 * @returns {Operation[]}
 */
function refused(copy, entry, sent, { problem = {} }) {
  const waiting = { ...entry, sending: undefined };
  const isEdited = !isEqual(sendingOf(waiting), sent);
  const isNewAndRemoved = entry.removed && !entry.base;
  if (isNewAndRemoved) return replacing(entry, undefined, entry.key);
  // An edit after the request is sent next. A change of a new habit waits until the habit is accepted.
  if (isEdited || newHabitOf(entry, copy.waiting)) return replacing(entry, waiting, entry.key);
  return replacing(entry, withProblem(waiting, problem), entry.key);
}

/**
 * @param {Waiting} entry
 * @param {NonNullable<ChangeResult['problem']>} problem
 * @returns {Waiting}
 */
function withProblem(entry, { slug = '', detail = '', field, parameters = {} }) {
  return { ...entry, problem: { kind: 'refused', theirs: null, fields: [], slug, detail, field, parameters } };
}

/**
 * @param {Waiting} entry
 * @returns {Fields}
 */
function fieldsOf(entry) {
  const { has_photo, ...fields } = wantedFields(entry);
  return fields;
}

/**
 * @param {Waiting} entry
 * @returns {Fields}
 */
function photoOf(entry) {
  return entry.changes.photo ? { photo: entry.changes.photo } : {};
}
