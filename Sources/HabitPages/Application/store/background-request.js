// Asks the browser for a Background Sync, which only some browsers have.

import { SYNC_EVENT } from './background-event.js';

/** Lets the service worker send the entries when the network is back, also if the page is closed then. */
export async function requestBackgroundSync() {
  try {
    const registration = await navigator.serviceWorker.ready;
    // TypeScript does not know the Background Synchronization API.
    const { sync } = /** @type {{sync?: {register: (event: string) => Promise<void>}}} */ (registration);
    await sync?.register(SYNC_EVENT);
  } catch {
    // Without it, the page sends the entries when it is open.
  }
}
