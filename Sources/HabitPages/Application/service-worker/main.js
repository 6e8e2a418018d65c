// The service worker: it opens the application without a network, keeps photos, and sends entries after the page is
// closed. It leaves the data of the API to the store.

/// <reference path="../types/shell.d.ts" />

import { isPhoto, respondWithPhoto } from './photos.js';
import { sendInBackground } from '../store/background.js';
import { SYNC_EVENT } from '../store/background-event.js';
import { deleteOtherVersions, isFile, isView, precache, respondWithFile, respondWithView } from './shell-cache.js';

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', event => event.waitUntil(precache(shell)));

worker.addEventListener('activate', event => {
  event.waitUntil(deleteOtherVersions(shell).then(() => worker.clients.claim()));
});

// A new version waits until the person starts it, so that a page never runs with files of two versions.
worker.addEventListener('message', ({ data }) => {
  if (data === 'activate') void worker.skipWaiting();
});

worker.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (isView(url, shell)) event.respondWith(respondWithView(request, shell));
  } else if (isFile(url, shell)) {
    event.respondWith(respondWithFile(request, shell));
  } else if (isPhoto(url)) {
    event.respondWith(respondWithPhoto(request, work => event.waitUntil(work)));
  }
});

// Only browsers with Background Sync have this event, which TypeScript does not know.
worker.addEventListener('sync', event => {
  const sync = /** @type {ExtendableEvent & {tag: string}} */ (event);
  if (sync.tag === SYNC_EVENT) sync.waitUntil(sendInBackground());
});
