// The photos that were shown: the last 50 MB of them. The store deletes them when the person signs out.

import { PHOTO_CACHE } from '../store/caches.js';

const MAXIMUM_BYTES = 50_000_000;
const PATH = /\/collections\/[^/]+\/items\/[^/]+\/photo$/;

/**
 * Whether an address belongs to one version of a photo, which never changes.
 * @param {URL} url
 */
export function isPhoto({ pathname, searchParams }) {
  return PATH.test(pathname) && searchParams.has('v');
}

/**
 * Returns a photo from the cache, or from the server.
 * @param {Request} request
 * @param {(work: Promise<void>) => void} later does work after the response
 * @returns {Promise<Response>}
 */
export async function respondWithPhoto(request, later) {
  const cache = await caches.open(PHOTO_CACHE);
  const known = await cache.match(request.url);
  if (known) {
    later(keep(cache, request.url, known.clone()));
    return known;
  }
  const response = await fetch(request);
  if (response.ok) later(keep(cache, request.url, response.clone()).then(() => trim(cache)));
  return response;
}

/**
 * Stores a photo as the last entry of the cache.
 * @param {Cache} cache
 * @param {string} address
 * @param {Response} response
 */
async function keep(cache, address, response) {
  const photo = await response.blob();
  const type = response.headers.get('Content-Type') ?? photo.type;
  const headers = { 'Content-Type': type, 'Content-Length': String(photo.size) };
  // The cache lists its entries in the order in which they were stored.
  await cache.delete(address);
  await cache.put(address, new Response(photo, { headers }));
}

/**
 * Removes the photos that were not used for the longest time.
 * @param {Cache} cache
 */
async function trim(cache) {
  const requests = await cache.keys();
  let total = 0;
  for (const request of [...requests].reverse()) {
    const photo = await cache.match(request);
    total += Number(photo?.headers.get('Content-Length'));
    if (total > MAXIMUM_BYTES) await cache.delete(request);
  }
}
