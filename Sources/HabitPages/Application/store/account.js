// The person who uses the application on this device, also without a network.

import { deleteCachedPhotos } from './caches.js';
import { Failure, SignedOut, Unreachable } from './requests.js';
import { confirmAccount, isSignInNoted, rememberedAccount } from './remembered-account.js';

/** @typedef {import('./types').Account} Account */
/** @typedef {import('./requests.js').Requests} Requests */

/** The time after which a start uses the copy without the server, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Returns the account of the person, or null if no person is signed in on this device.
 *
 * If this device knows no person, the server names the person. After the sign-in was open, the server does so too,
 * because another person may have signed in. An error of the server does not lead to the sign-in, because the sign-in
 * would lead back to the same error.
 * @param {Requests} requests
 * @throws {Unreachable | Failure} if the server must name the person, and does not
 * @throws {Error} if the browser keeps no cookies: the sign-in would lead back without a session, again and again
 * @returns {Promise<{account: Account, online: boolean, signedIn: boolean} | null>}
 */
export async function findAccount(requests) {
  const remembered = rememberedAccount();
  const isCertain = remembered !== null && !isSignInNoted();
  try {
    const response = requests.json('GET', 'user');
    const account = await (isCertain ? withPatience(response) : response);
    // Photos of an earlier person are not for this one.
    if (remembered?.id !== account.id) await deleteCachedPhotos();
    confirmAccount(account);
    return { account, online: true, signedIn: true };
  } catch (error) {
    const isSignedOut = error instanceof SignedOut;
    if (!remembered) {
      if (isSignedOut && !navigator.cookieEnabled) throw new Error('The browser blocks cookies.');
      if (isSignedOut || isOfOperator(error)) return null;
      throw error;
    }
    if (isSignedOut) return { account: remembered, online: true, signedIn: false };
    const isServerAway = error instanceof Unreachable || error instanceof Failure;
    if (!isServerAway || !isCertain) throw error;
    return { account: remembered, online: false, signedIn: true };
  }
}

/**
 * Whether the server knows the caller, who has no account.
 * @param {unknown} error
 */
function isOfOperator(error) {
  return error instanceof Failure && error.status === 403;
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
