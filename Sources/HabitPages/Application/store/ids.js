// The IDs of new records.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The collections whose records have an ID that the client chooses. */
const CHOSEN = ['events', 'habits', 'pauses'];

/** Returns a random UUID. `crypto.randomUUID` exists only with TLS and on the own device. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1 of RFC 9562.
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/**
 * Returns the ID with which a deleted record can be inserted again. The server accepts other IDs than UUIDs only in
 * loads of the operator.
 * @param {string} collection
 * @param {string} id
 */
export function idToInsert(collection, id) {
  return CHOSEN.includes(collection) && !UUID.test(id) ? newID() : id;
}
