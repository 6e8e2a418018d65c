// The position of the device. The application requests it only after a tap.

import { coordinatesOf } from './coordinates.js';

const TIMEOUT_MILLISECONDS = 10_000;
const OLDEST_MILLISECONDS = 60_000;

/**
 * @typedef {object} Found
 * @property {'found'} kind
 * @property {[number, number]} coordinates longitude and latitude
 * @property {number} accuracy in meters
 */
/** @typedef {{ kind: 'denied' | 'refused' | 'unavailable' }} NotFound */

/**
 * Finds the position. `denied` is a decision of the past, which the person must change in the settings of the browser;
 * `refused` is the decision of this moment.
 * @returns {Promise<Found | NotFound>}
 */
export async function findPosition() {
  if (await isDenied()) return { kind: 'denied' };
  if (!navigator.geolocation) return { kind: 'unavailable' };
  return new Promise(resolve => {
    const succeed = (/** @type {GeolocationPosition} */ position) => resolve(foundAt(position));
    const fail = (/** @type {GeolocationPositionError} */ error) => {
      resolve({ kind: error.code === error.PERMISSION_DENIED ? 'refused' : 'unavailable' });
    };
    const options = { enableHighAccuracy: true, timeout: TIMEOUT_MILLISECONDS, maximumAge: OLDEST_MILLISECONDS };
    navigator.geolocation.getCurrentPosition(succeed, fail, options);
  });
}

/** Whether the person has denied the position before. Some browsers do not have this information. */
async function isDenied() {
  try {
    const permission = await navigator.permissions.query({ name: 'geolocation' });
    return permission.state === 'denied';
  } catch {
    return false;
  }
}

/**
 * @param {GeolocationPosition} position
 * @returns {Found}
 */
function foundAt({ coords }) {
  const { longitude, latitude, accuracy } = coords;
  return { kind: 'found', coordinates: coordinatesOf(longitude, latitude), accuracy };
}
