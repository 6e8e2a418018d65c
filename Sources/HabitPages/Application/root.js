// The address of the server, which can have a path such as `/habits/`.

/** The address of the server, with a final slash. The bundle is `static/DIGEST/application.js` below it. */
export const root = new URL('../../', import.meta.url);

/**
 * Returns the full address of a path of the server.
 * @param {string} path such as `days/2026-11-20`, without a slash at its start
 */
export function address(path) {
  return new URL(path, root).href;
}
