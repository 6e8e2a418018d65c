/**
 * Returns the path of the view of a user.
 * @param {string} user
 */
export function personPath(user) {
  return `people/${encodeURIComponent(user)}`;
}
