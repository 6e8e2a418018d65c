// The names under which the browser keeps data. Servers with the same origin and different paths share its storage.

import { root } from '../root.js';

/**
 * Returns the name of something that belongs to this server.
 * @param {string} name
 * @param {string} path the path of the server
 */
export function storedName(name, path = root.pathname) {
  return path === '/' ? name : `${name}@${path}`;
}
