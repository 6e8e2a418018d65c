// Makes a photo so small that the server accepts it. The metadata of the file, such as its position, is not kept.

/** The quality of the first encoding, and the least quality. */
const QUALITY = 0.75;
const LEAST_QUALITY = 0.6;
const FIRST_SIDE = 1280;
const LEAST_SIDE = 64;
const MOST_ENCODINGS = 4;
// The next encoding aims at less than the limit, since the number of bytes is not exactly proportional to the area.
const AIM = 0.92;

/** The error of a photo that stays too large. */
export class PhotoTooLargeError extends Error {
  name = 'PhotoTooLargeError';
}

/** @typedef {{ photo: Blob, limit: number }} Task the limit is in bytes */
/** @typedef {{ photo: Blob } | { error: 'too-large' | 'failed' }} Result */

/**
 * Makes a photo small, on the page or in a worker.
 * @param {Task} task
 * @returns {Promise<Result>}
 */
export async function shrinkResult({ photo, limit }) {
  try {
    return { photo: await shrinkPhoto(photo, limit) };
  } catch (error) {
    return { error: error instanceof PhotoTooLargeError ? 'too-large' : 'failed' };
  }
}

/**
 * Returns a JPEG of at most `limit` bytes.
 * @param {Blob} photo a picture that the browser can decode
 * @param {number} limit in bytes
 * @returns {Promise<Blob>}
 * @throws {PhotoTooLargeError} if four encodings do not suffice
 */
export async function shrinkPhoto(photo, limit) {
  // The browser applies the orientation in the metadata.
  const picture = await createImageBitmap(photo);
  try {
    let size = fit(picture, FIRST_SIDE);
    let quality = QUALITY;
    for (let encoding = 1; encoding <= MOST_ENCODINGS; encoding += 1) {
      const result = await encode(picture, size, quality);
      if (result.size <= limit) return result;
      size = smallerSize(size, result.size, limit);
      quality = LEAST_QUALITY;
    }
  } finally {
    picture.close();
  }
  throw new PhotoTooLargeError();
}

/** @typedef {{ width: number, height: number }} Size */

/**
 * Returns the size of a picture whose longer side is at most `side`.
 * @param {Size} picture
 * @param {number} side
 * @returns {Size}
 */
function fit({ width, height }, side) {
  const scale = Math.min(1, side / Math.max(width, height));
  return scaled({ width, height }, scale);
}

/**
 * Estimates the size whose encoding has `limit` bytes: their number is about proportional to the area.
 * @param {Size} size
 * @param {number} bytes
 * @param {number} limit
 * @returns {Size}
 */
export function smallerSize(size, bytes, limit) {
  const scale = Math.sqrt(AIM * limit / bytes);
  const least = Math.min(1, LEAST_SIDE / Math.max(size.width, size.height));
  return scaled(size, Math.max(scale, least));
}

/**
 * @param {Size} size
 * @param {number} scale
 */
function scaled({ width, height }, scale) {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * @param {ImageBitmap} picture
 * @param {Size} size
 * @param {number} quality
 */
async function encode(picture, { width, height }, quality) {
  const canvas = canvasOf(width, height);
  const context = /** @type {CanvasRenderingContext2D | null} */ (canvas.getContext('2d', { alpha: false }));
  if (!context) throw new PhotoTooLargeError();
  context.imageSmoothingQuality = 'high';
  // Transparent parts of a picture become white, since a JPEG is opaque.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return jpegOf(canvas, quality);
}

/**
 * Returns a canvas without an element. An older browser has only the element.
 * @param {number} width
 * @param {number} height
 */
function canvasOf(width, height) {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/**
 * @param {OffscreenCanvas | HTMLCanvasElement} canvas
 * @param {number} quality
 * @returns {Promise<Blob>}
 */
function jpegOf(canvas, quality) {
  const type = 'image/jpeg';
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type, quality });
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => blob ? resolve(blob) : reject(new PhotoTooLargeError()), type, quality);
  });
}
