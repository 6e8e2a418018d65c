// Makes a photo small in a worker, or on the page if the browser has no worker that can draw.

/** @typedef {import('./shrinkPhoto.js').Task} Task */
/** @typedef {import('./shrinkPhoto.js').Result} Result */

/**
 * Returns a JPEG of at most `limit` bytes, or why it does not exist.
 * @param {Task} task a picture that the browser can decode, and the limit
 * @returns {Promise<Result>}
 */
export async function shrinkInWorker(task) {
  const result = await workerResult(task);
  if (result && !('error' in result && result.error === 'failed')) return result;
  const { shrinkResult } = await import('./shrinkPhoto.js');
  return shrinkResult(task);
}

/**
 * Returns the result of the worker, or `undefined` if the browser cannot run it.
 * @param {Task} task
 */
async function workerResult(task) {
  if (typeof Worker !== 'function' || typeof OffscreenCanvas !== 'function') return undefined;
  // The bundles of the page and of the worker are files of one folder.
  const worker = new Worker(new URL('./photo-worker.js', import.meta.url), { type: 'module' });
  try {
    return await messageOf(worker, task);
  } finally {
    worker.terminate();
  }
}

/**
 * Returns what the worker sends, or `undefined` after an error, for example in a browser whose workers are not modules.
 * @param {Worker} worker
 * @param {Task} task
 * @returns {Promise<Result | undefined>}
 */
function messageOf(worker, task) {
  return new Promise(resolve => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onmessageerror = () => resolve(undefined);
    worker.onerror = event => {
      event.preventDefault();
      resolve(undefined);
    };
    worker.postMessage(task);
  });
}
