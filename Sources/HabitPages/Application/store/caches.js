// The caches of the service worker that contain data of the person.

/** The name of the cache of photos, which the service worker fills. */
export const PHOTO_CACHE = 'habitat-photos';

/** Deletes the photos that this device has kept. */
export async function deleteCachedPhotos() {
  try {
    if ('caches' in globalThis) await caches.delete(PHOTO_CACHE);
  } catch {
    // A browser that stores nothing has nothing to delete.
  }
}
