// The worker that makes a photo small, so that the page stays responsive. It is a file of its own.

import { shrinkResult } from './shrinkPhoto.js';

addEventListener('message', async (/** @type {MessageEvent<import('./shrinkPhoto.js').Task>} */ { data }) => {
  postMessage(await shrinkResult(data));
});
