// The statuses of the habits of followed users, which only the server knows.

import { useStore } from '../../store/useStore.js';
import { useServerData } from '../useServerData.js';

/** @typedef {{ features: { id: string, properties: { status: string } }[] }} FollowedList */

/**
 * Returns the status of each habit by its ID. It is empty until the server has been read.
 * @param {import('../../store/types').StoreInterface} store
 * @returns {ReadonlyMap<string, string>}
 */
export function useStatuses(store) {
  const lastSync = useStore(store, ({ state }) => state.lastSync);
  const list = useServerData('collections/following/items?f=geojson&limit=10000', lastSync);
  const { features } = /** @type {FollowedList} */ (list ?? { features: [] });
  return new Map(features.map(({ id, properties }) => [id, properties.status]));
}
