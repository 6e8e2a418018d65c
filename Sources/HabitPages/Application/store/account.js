// The person who uses the application on this device, also without a network.

import { deleteCachedPhotos } from './caches.js';
import { Failure, SignedOut, Unreachable } from './requests.js';
import { storedName } from './names.js';

/** @typedef {import('./types').Account} Account */
/** @typedef {import('./requests.js').Requests} Requests */

const REMEMBERED = storedName('habitat-account');
/** The time after which a start uses the copy without the server, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Returns the account of the person, or null if no person is signed in on this device.
 * @param {Requests} requests
 * @returns {Promise<{account: Account, online: boolean, signedIn: boolean} | null>}
 */
export async function findAccount(requests) {
  const remembered = rememberedAccount();
  try {
    const account = await (remembered ? withPatience(requests.json('GET', 'user')) : requests.json('GET', 'user'));
    // Photos of an earlier person are not for this one.
    if (remembered?.id !== account.id) await deleteCachedPhotos();
    rememberAccount(account);
    return { account, online: true, signedIn: true };
  } catch (error) {
    if (!remembered) return null;
    if (error instanceof SignedOut) return { account: remembered, online: true, signedIn: false };
    const isServerAway = error instanceof Unreachable || error instanceof Failure;
    if (!isServerAway) throw error;
    return { account: remembered, online: false, signedIn: true };
  }
}

/** @param {Account} account */
export function rememberAccount({ id, name, time_zone }) {
  localStorage.setItem(REMEMBERED, JSON.stringify({ id, name, time_zone }));
}

export function forgetAccount() {
  localStorage.removeItem(REMEMBERED);
}

/** @returns {Account | null} */
function rememberedAccount() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @template Result
 * @param {Promise<Result>} result
 * @returns {Promise<Result>}
 */
function withPatience(result) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Unreachable()), PATIENCE);
    result.then(resolve, reject);
  });
}
