// The values of records: how they are compared, and how they become features.

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Feature} Feature */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./types').StoredRecord} StoredRecord */

/** The fields that only the server sets. */
const READ_ONLY = new Set(['id', 'user', 'has_photo', 'unplanned']);

/** @param {string} field */
export function isWritable(field) {
  return !READ_ONLY.has(field);
}

/**
 * Whether two values are equal. A missing value is null, as in the changes that the server accepts.
 * @param {any} one
 * @param {any} other
 */
export function isEqual(one, other) {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/**
 * Returns the writable fields of `fields` that differ from those of `base`.
 * @param {Fields} fields
 * @param {Fields} base
 * @returns {Fields}
 */
export function differences(fields, base) {
  const changed = Object.entries(fields).filter(([name, value]) => isWritable(name) && !isEqual(value, base[name]));
  return Object.fromEntries(changed);
}

/**
 * Returns the values that a record has after a waiting change, without the name of a waiting photo.
 * @param {Waiting} entry
 * @returns {Fields}
 */
export function wantedFields(entry) {
  const { photo, ...changes } = entry.changes;
  const fields = { ...entry.base?.fields, ...changes };
  return photo === undefined ? fields : { ...fields, has_photo: photo !== null };
}

/**
 * @param {string} collection
 * @param {string} id
 */
export function keyOf(collection, id) {
  return `${collection}/${id}`;
}

/**
 * @param {string} collection
 * @param {Feature} feature
 * @param {string} version
 * @returns {StoredRecord}
 */
export function recordOf(collection, feature, version) {
  const fields = { ...feature.properties, geometry: feature.geometry ?? null };
  return { key: keyOf(collection, feature.id), collection, id: feature.id, fields, version };
}

/**
 * Returns the feature to send. Null values are omitted, since a change clears omitted members.
 * @param {string} id
 * @param {Fields} fields
 * @returns {Feature}
 */
export function featureOf(id, { geometry, ...rest }) {
  const writable = Object.entries(rest).filter(([name]) => isWritable(name));
  const filled = writable.filter(([, value]) => value !== null && value !== undefined);
  return { id, properties: Object.fromEntries(filled), geometry: geometry ?? null };
}
