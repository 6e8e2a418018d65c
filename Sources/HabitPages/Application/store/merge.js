// Merges the change of this device with a change of another device, field by field.

import { differences, isEqual } from './fields.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./types').StoredRecord} StoredRecord */

/** Fields that the person does not compare: if both sides have changed them, the value of the server stays. */
const QUIET = new Set(['at']);

/** The fields that are equal in two events of one habit and day. */
const IDENTITY = new Set(['habit', 'day']);

/**
 * Merges two changes of the same base.
 * @param {Fields} base
 * @param {Fields} mine the fields that this device has changed
 * @param {Fields} theirs all fields of the server
 * @returns {{changes: Fields, conflicts: string[]}} the changes that are left of `mine`, and the fields that both have
 *   changed to different values
 */
export function mergeFields(base, mine, theirs) {
  /** @type {Fields} */
  const changes = {};
  const conflicts = [];
  for (const [field, value] of Object.entries(mine)) {
    const isPhoto = field === 'photo';
    if (isPhoto ? value === null && !theirs.has_photo : isEqual(value, theirs[field])) continue;
    // A feature does not contain its photo: `haveBothChangedPhoto` compares photos.
    const isTheirs = !isPhoto && !isEqual(base[field], theirs[field]);
    if (isTheirs && QUIET.has(field)) continue;
    changes[field] = value;
    if (isTheirs) conflicts.push(field);
  }
  return { changes, conflicts };
}

/**
 * Bases a waiting change on the record that the server has now.
 * @param {Waiting} entry a change that is not being sent
 * @param {StoredRecord | undefined} theirs
 * @returns {Waiting | undefined} the change, with a problem if the person must decide; undefined if nothing is left
 */
export function reconcile(entry, theirs) {
  if (!theirs) return withoutRecord(entry);
  const base = { fields: theirs.fields, version: theirs.version };
  const isCurrent = entry.base?.version === theirs.version;
  if (entry.removed) {
    const changed = !isCurrent && !!entry.base && hasChanged(entry.base.fields, theirs.fields);
    return changed ? asConflict(entry, theirs.fields, []) : settled({ ...entry, base });
  }
  const old = entry.base?.fields ?? {};
  const { changes, conflicts } = mergeFields(isCurrent ? theirs.fields : old, entry.changes, theirs.fields);
  if (!isCurrent && haveBothChangedPhoto(entry, old, theirs.fields)) conflicts.push('photo');
  if (conflicts.length > 0) return asConflict(entry, theirs.fields, conflicts);
  const merged = settled({ ...entry, base, changes });
  return Object.keys(changes).length > 0 ? merged : undefined;
}

/**
 * Merges a new event with the event that the habit already has on the day, for example of another device.
 * @param {Waiting} entry the new event
 * @param {StoredRecord} theirs
 * @returns {Waiting | undefined} a change of their event, or the new event with a conflict, or undefined if nothing is
 *   left
 */
export function meet(entry, theirs) {
  const own = Object.entries(entry.changes).filter(([field, value]) => !IDENTITY.has(field) && value !== null);
  const { changes, conflicts } = mergeFields({}, { outcome: 'done', ...Object.fromEntries(own) }, theirs.fields);
  if (entry.changes.photo && theirs.fields.has_photo) conflicts.push('photo');
  if (conflicts.length > 0) return asConflict(entry, theirs.fields, conflicts, theirs.key);
  if (Object.keys(changes).length === 0) return undefined;
  const { key, id, fields, version } = theirs;
  return settled({ ...entry, key, id, base: { fields, version }, changes });
}

/**
 * Bases a change on a record that was deleted on the server, or that the server never had.
 * @param {Waiting} entry
 */
function withoutRecord(entry) {
  if (!entry.base) return settled(entry);
  return entry.removed ? undefined : asConflict(entry, null, []);
}

/**
 * @param {Waiting} entry
 * @param {Fields | null} theirs
 * @param {string[]} fields
 * @param {string} [other] the key of the other event of the habit and day
 * @returns {Waiting}
 */
function asConflict(entry, theirs, fields, other) {
  const slug = other ? 'event-exists' : 'changed-meanwhile';
  return { ...entry, problem: { kind: 'conflict', theirs, fields, slug, parameters: {}, detail: '', other } };
}

/**
 * Ends the conflict of a change. A refused change stays refused until the person edits it.
 * @param {Waiting} entry
 * @returns {Waiting}
 */
function settled(entry) {
  return entry.problem?.kind === 'conflict' ? { ...entry, problem: undefined } : entry;
}

/**
 * Whether a value that the person can see differs.
 * @param {Fields} old
 * @param {Fields} theirs
 */
function hasChanged(old, theirs) {
  const changed = Object.keys(differences(theirs, old)).filter(field => !QUIET.has(field));
  return changed.length > 0 || hasPhotoChanged(old, theirs);
}

/**
 * Whether both sides have changed the photo. A feature does not contain the photo: if nothing else explains the new
 * version, the photo has changed.
 * @param {Waiting} entry
 * @param {Fields} old
 * @param {Fields} theirs
 */
function haveBothChangedPhoto(entry, old, theirs) {
  if (!('photo' in entry.changes)) return false;
  return hasPhotoChanged(old, theirs) || Object.keys(differences(theirs, old)).length === 0;
}

/**
 * @param {Fields} old
 * @param {Fields} theirs
 */
function hasPhotoChanged(old, theirs) {
  return Boolean(old.has_photo) !== Boolean(theirs.has_photo);
}
