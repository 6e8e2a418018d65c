// The IDs of new records.

/** Returns a random UUID. `crypto.randomUUID` exists only with TLS and on the own device. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1 of RFC 9562.
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
}
