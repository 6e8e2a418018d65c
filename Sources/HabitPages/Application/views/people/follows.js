// The changes of follows. Each is first saved on this device and then sent.

import { followID } from './relations.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {'all' | 'latest'} Share */

/**
 * Sends a follow request to a user.
 * @param {StoreInterface} store
 * @param {string} user
 */
export async function requestFollow(store, user) {
  const person = store.state.account.id;
  const follow = { follower: person, followee: user, status: 'pending', share: 'all' };
  await store.save('follows', followID(person, user), follow);
}

/**
 * Accepts the request of a user, or changes what a follower sees.
 * @param {StoreInterface} store
 * @param {string} user
 * @param {Share} share
 */
export async function acceptFollower(store, user, share) {
  await store.save('follows', followID(user, store.state.account.id), { status: 'accepted', share });
}

/**
 * Declines the request of a user, who can ask again.
 * @param {StoreInterface} store
 * @param {string} user
 */
export async function declineFollower(store, user) {
  await store.save('follows', followID(user, store.state.account.id), { status: 'rejected' });
}

/**
 * Ends the follow of a user, or withdraws the request.
 * @param {StoreInterface} store
 * @param {string} user
 */
export async function endFollow(store, user) {
  return store.remove('follows', followID(store.state.account.id, user));
}

/**
 * Ends the follow of the person by a user.
 * @param {StoreInterface} store
 * @param {string} user
 */
export async function removeFollower(store, user) {
  return store.remove('follows', followID(user, store.state.account.id));
}
