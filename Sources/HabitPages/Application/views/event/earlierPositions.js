// The positions of a person, which the small map shows for orientation.

/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('./coordinates.js').Coordinates} Coordinates */

/**
 * Returns the positions of the person's other events on this device.
 * @param {readonly Visible[]} events
 * @param {{ user: string, except: string | undefined }} options `except` is the ID of the shown event
 * @returns {Coordinates[]}
 */
export function earlierPositions(events, { user, except }) {
  /** @type {Coordinates[]} */
  const positions = [];
  for (const { id, geometry, properties } of events) {
    const isOwn = properties.user === user && id !== except;
    if (isOwn && geometry?.type === 'Point') positions.push(geometry.coordinates);
  }
  return positions;
}
