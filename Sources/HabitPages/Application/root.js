// The address of the server, which can have a path such as `/habits/`.

/** The address of the server, with a final slash. */
export const root = findRoot();

/**
 * The bundle of a page is `static/DIGEST/application.js` below the root. A service worker has no address of a module,
 * and controls the pages of the root.
 */
function findRoot() {
  if (import.meta.url) return new URL('../../', import.meta.url);
  const { registration } = /** @type {{registration: {scope: string}}} */ (/** @type {unknown} */ (globalThis));
  return new URL(registration.scope);
}

/**
 * Returns the full address of a path of the server.
 * @param {string} path such as `days/2026-11-20`, without a slash at its start
 */
export function address(path) {
  return new URL(path, root).href;
}
