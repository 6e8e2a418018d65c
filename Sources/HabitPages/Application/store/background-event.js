/** The name of the Background Sync with which the browser starts the service worker. */
export const SYNC_EVENT = 'habitat-send';
