// The local storage of the browser, which the person may have blocked. The application then works without it.

/**
 * Returns a stored text, or null.
 * @param {string} name
 */
export function readStored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Stores a text, if the browser permits it.
 * @param {string} name
 * @param {string} value
 */
export function writeStored(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The next start without a connection then needs the sign-in.
  }
}

/** @param {string} name */
export function removeStored(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
}
