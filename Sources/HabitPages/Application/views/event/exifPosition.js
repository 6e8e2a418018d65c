// The position in the metadata of a photo (Exif 2.32, TIFF 6.0). The bytes may come from anywhere: each value is read
// only if it is in the file, and each loop moves forward. The page loads this file with the first photo, so it imports
// no other one.

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */

/** Exif data is at the beginning of a file, and has at most 64 kB. */
const MOST_BYTES = 262_144;

const MARKER = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APPLICATION_1 = 0xe1;
const EXIF_HEADER = [0x45, 0x78, 0x69, 0x66, 0, 0];

const TIFF_NUMBER = 42;
const ENTRY_BYTES = 12;
const TYPE_ASCII = 2;
const TYPE_LONG = 4;
const TYPE_RATIONAL = 5;
const TAG_GPS = 0x8825;
const TAG_LATITUDE_REFERENCE = 1;
const TAG_LATITUDE = 2;
const TAG_LONGITUDE_REFERENCE = 3;
const TAG_LONGITUDE = 4;

/**
 * Returns the position of a JPEG file, or `null` if it has no readable position.
 * @param {Blob} photo
 * @returns {Promise<Coordinates | null>}
 */
export async function exifPosition(photo) {
  try {
    const buffer = await photo.slice(0, MOST_BYTES).arrayBuffer();
    return positionIn(new Uint8Array(buffer));
  } catch {
    // The file was moved or deleted after the person has chosen it.
    return null;
  }
}

/**
 * Returns the position in the bytes of a JPEG file.
 * @param {Uint8Array} bytes
 * @returns {Coordinates | null}
 */
export function positionIn(bytes) {
  const exif = exifIn(bytes);
  const tiff = exif && TIFF.of(exif);
  const directory = tiff?.entries(tiff.number(4, 4)).get(TAG_GPS);
  if (!tiff || !directory || directory.type !== TYPE_LONG) return null;
  const gps = tiff.entries(directory.value);
  const latitude = tiff.degrees(gps, [TAG_LATITUDE_REFERENCE, TAG_LATITUDE], 'NS');
  const longitude = tiff.degrees(gps, [TAG_LONGITUDE_REFERENCE, TAG_LONGITUDE], 'EW');
  if (latitude === null || longitude === null) return null;
  const isPossible = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  // A camera that does not know its position writes zeros.
  const isKnown = latitude !== 0 || longitude !== 0;
  return isPossible && isKnown ? [longitude, latitude] : null;
}

/**
 * Returns the Exif data of a JPEG file without its header, or `null` if no Exif data precedes the image.
 * @param {Uint8Array} bytes
 */
function exifIn(bytes) {
  if (bytes[0] !== MARKER || bytes[1] !== START_OF_IMAGE) return null;
  let offset = 2;
  while (offset + 4 <= bytes.length && bytes[offset] === MARKER) {
    const marker = bytes[offset + 1];
    if (marker === MARKER) {
      // A byte that fills.
      offset += 1;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    const length = bytes[offset + 2] * 256 + bytes[offset + 3];
    if (length < 2) return null;
    const content = bytes.subarray(offset + 4, offset + 2 + length);
    const isExif = EXIF_HEADER.every((byte, index) => content[index] === byte);
    if (marker === APPLICATION_1 && isExif) return content.subarray(EXIF_HEADER.length);
    offset += 2 + length;
  }
  return null;
}

/**
 * An entry of a directory. `value` is the value, or the offset of values that need more than four bytes.
 * @typedef {{ type: number, count: number, value: number, offset: number }} Entry
 */

/** Data in the format TIFF. A number outside the data is `NaN`. */
class TIFF {
  #bytes;
  #isLittleEndian;

  /**
   * Returns the data, or `null` if its header is wrong.
   * @param {Uint8Array} bytes
   */
  static of(bytes) {
    const order = String.fromCharCode(bytes[0] ?? 0, bytes[1] ?? 0);
    if (order !== 'II' && order !== 'MM') return null;
    const tiff = new TIFF(bytes, order === 'II');
    return tiff.number(2, 2) === TIFF_NUMBER ? tiff : null;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} isLittleEndian
   */
  constructor(bytes, isLittleEndian) {
    this.#bytes = bytes;
    this.#isLittleEndian = isLittleEndian;
  }

  /**
   * Returns an unsigned number.
   * @param {number} offset
   * @param {2 | 4} size in bytes
   */
  number(offset, size) {
    if (!(offset >= 0 && offset + size <= this.#bytes.length)) return NaN;
    let number = 0;
    for (let index = 0; index < size; index += 1) {
      const position = this.#isLittleEndian ? size - 1 - index : index;
      number = number * 256 + this.#bytes[offset + position];
    }
    return number;
  }

  /**
   * Returns the entries of a directory by their tags. The first of several entries with a tag applies.
   * @param {number} offset
   */
  entries(offset) {
    /** @type {Map<number, Entry>} */
    const entries = new Map();
    const count = this.number(offset, 2);
    for (let index = 0; index < count; index += 1) {
      const start = offset + 2 + index * ENTRY_BYTES;
      if (start + ENTRY_BYTES > this.#bytes.length) break;
      const tag = this.number(start, 2);
      const type = this.number(start + 2, 2);
      const entry = { type, count: this.number(start + 4, 4), value: this.number(start + 8, 4), offset: start + 8 };
      if (!entries.has(tag)) entries.set(tag, entry);
    }
    return entries;
  }

  /**
   * Returns a coordinate in degrees, or `null` if it is missing or invalid.
   * @param {Map<number, Entry>} entries
   * @param {[reference: number, value: number]} tags
   * @param {string} signs the letters of the positive and of the negative direction
   */
  degrees(entries, [referenceTag, valueTag], signs) {
    const reference = entries.get(referenceTag);
    const value = entries.get(valueTag);
    if (!reference || reference.type !== TYPE_ASCII || !value || value.type !== TYPE_RATIONAL) return null;
    const sign = signs.indexOf(String.fromCharCode(this.#bytes[reference.offset]));
    // Degrees, minutes and seconds. Some programs write fractions of degrees or minutes and omit the rest.
    if (sign < 0 || value.count < 1 || value.count > 3) return null;
    let degrees = 0;
    for (let index = 0; index < value.count; index += 1) {
      degrees += this.#rational(value.value + index * 8) / 60 ** index;
    }
    if (!Number.isFinite(degrees)) return null;
    return sign === 0 ? degrees : -degrees;
  }

  /** @param {number} offset */
  #rational(offset) {
    const denominator = this.number(offset + 4, 4);
    return denominator === 0 ? NaN : this.number(offset, 4) / denominator;
  }
}
