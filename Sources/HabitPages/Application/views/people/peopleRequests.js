// The requests that need a connection, because they do not change a record of the copy.

import { address } from '../../root.js';
import { personHeader } from '../../store/person.js';

/**
 * Sends another follow request to a user who has declined one. The store cannot do this, because only that user may
 * change the declined request.
 * @param {string} user
 */
export async function requestAgain(user) {
  const headers = { 'Content-Type': 'application/json' };
  return send('POST', 'collections/follows/items', { headers, body: JSON.stringify({ followee: user }) });
}

/**
 * Hides the person and a user from each other.
 * @param {string} user
 */
export async function block(user) {
  return send('PUT', `user/blocks/${encodeURIComponent(user)}`);
}

/**
 * Ends the block of a user.
 * @param {string} user
 */
export async function unblock(user) {
  return send('DELETE', `user/blocks/${encodeURIComponent(user)}`);
}

/**
 * Sends a request and returns whether the server has accepted it.
 * @param {string} method
 * @param {string} path
 * @param {{headers?: Record<string, string>, body?: string}} [options]
 */
async function send(method, path, options = {}) {
  try {
    const headers = { ...personHeader(), ...options.headers };
    const response = await fetch(address(path), { method, ...options, headers });
    return response.ok;
  } catch {
    return false;
  }
}
