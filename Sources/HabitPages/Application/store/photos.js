// The photos that wait, and the addresses of all photos.

/** @typedef {import('./types').Visible} Visible */

/** The largest photo of an event, in bytes. The operator cannot change it. */
export const MAXIMUM_PHOTO = 65_535;

/** The photo is only on the server, which is not reached. */
export class PhotoUnavailable extends Error {}

/**
 * Returns the bytes of a photo in base64.
 * @param {Blob} photo
 */
export async function base64Of(photo) {
  const bytes = new Uint8Array(await photo.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The addresses with which pages show photos that are not on the server yet. */
export class PhotoAddresses {
  /** @type {Map<string, string>} */
  #addresses = new Map();

  /**
   * @param {string} name
   * @param {Blob} photo
   */
  of(name, photo) {
    const known = this.#addresses.get(name);
    if (known) return known;
    const address = URL.createObjectURL(photo);
    this.#addresses.set(name, address);
    return address;
  }

  /**
   * Releases the addresses of photos that no longer wait.
   * @param {ReadonlyMap<string, Blob>} waiting
   */
  release(waiting) {
    for (const [name, address] of this.#addresses) {
      if (waiting.has(name)) continue;
      URL.revokeObjectURL(address);
      this.#addresses.delete(name);
    }
  }
}

/**
 * Returns the path of the photo of a record. The version changes with the photo, so that caches keep it.
 * @param {Visible} record
 * @param {number} [width] 320 or 1080
 */
export function photoPath({ collection, id, version }, width) {
  const size = width ? `&width=${width}` : '';
  return `collections/${collection}/items/${encodeURIComponent(id)}/photo?v=${version}${size}`;
}
