// Makes JPEG files with a position, also damaged ones.

const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const GPS_POINTER = 0x8825;

/**
 * Returns Exif data with the GPS tags, in the format TIFF.
 * @param {object} gps
 * @param {string} [gps.order] `II` or `MM`
 * @param {[string, [number, number][]]} gps.latitude the letter of the direction, and the rationals
 * @param {[string, [number, number][]]} gps.longitude
 */
export function tiff({ order = 'II', latitude, longitude }) {
  const isLittle = order === 'II';
  const short = number => bytesOf(number, 2, isLittle);
  const long = number => bytesOf(number, 4, isLittle);
  const entry = (tag, type, count, value) => [...short(tag), ...short(type), ...long(count), ...value];
  const letter = text => [text.charCodeAt(0), 0, 0, 0];
  const gpsOffset = 8 + 2 + 12 + 4;
  const valuesOffset = gpsOffset + 2 + 4 * 12 + 4;
  const rationals = parts => parts.flatMap(([numerator, denominator]) => [...long(numerator), ...long(denominator)]);
  return [
    ...Buffer.from(order), ...short(42), ...long(8),
    ...short(1), ...entry(GPS_POINTER, LONG, 1, long(gpsOffset)), ...long(0),
    ...short(4),
    ...entry(1, ASCII, 2, letter(latitude[0])),
    ...entry(2, RATIONAL, latitude[1].length, long(valuesOffset)),
    ...entry(3, ASCII, 2, letter(longitude[0])),
    ...entry(4, RATIONAL, longitude[1].length, long(valuesOffset + latitude[1].length * 8)),
    ...long(0),
    ...rationals(latitude[1]), ...rationals(longitude[1]),
  ];
}

/**
 * Returns a JPEG file without an image.
 * @param {...number[]} segments the markers with their contents
 */
export function jpeg(...segments) {
  return new Uint8Array([0xff, 0xd8, ...segments.flat(), 0xff, 0xda, 0, 2, 0xff, 0xd9]);
}

/**
 * Returns a segment of a JPEG file.
 * @param {number} marker such as 0xe1
 * @param {number[]} content
 */
export function segment(marker, content) {
  return [0xff, marker, ...bytesOf(content.length + 2, 2, false), ...content];
}

/** Returns the segment of Exif data. */
export function exif(content) {
  return segment(0xe1, [...Buffer.from('Exif\0\0'), ...content]);
}

/** @param {number} number */
function bytesOf(number, size, isLittle) {
  const bytes = Array.from({ length: size }, (_, index) => Math.floor(number / 256 ** index) % 256);
  return isLittle ? bytes : bytes.reverse();
}
