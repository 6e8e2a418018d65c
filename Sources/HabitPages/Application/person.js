// The person who uses this browser.

import { address } from './root.js';

const LAST_PERSON = 'habitat-person';

/**
 * Returns the ID of the signed-in person. Without a connection or after the end of the session, it is the last person,
 * whose copy and entries this browser has. A sign-out forgets this person.
 * @returns {Promise<string | null>}
 */
export async function findPerson() {
  try {
    const response = await fetch(address('user'), { headers: { Accept: 'application/json' } });
    if (response.ok) {
      const { id } = await response.json();
      rememberPerson(id);
      return id;
    }
  } catch {
    // There is no connection.
  }
  return lastPerson();
}

/** @param {string} person */
function rememberPerson(person) {
  try {
    localStorage.setItem(LAST_PERSON, person);
  } catch {
    // The application then needs a connection at its start.
  }
}

function lastPerson() {
  try {
    return localStorage.getItem(LAST_PERSON);
  } catch {
    return null;
  }
}
