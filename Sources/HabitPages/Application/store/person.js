// The person of this page, whose requests it sends.

/** The header that names the person. The server refuses the request if another person has signed in since then. */
const HEADER = 'Habitat-User';

/** @type {string | undefined} */
let person;

/**
 * Sets the person of this page, when the copy of the person is opened.
 * @param {string} user
 */
export function setPerson(user) {
  person = user;
}

/** Returns the header of a request of a view. */
export function personHeader() {
  return headerOf(person);
}

/**
 * Returns the header of a request that only one person may cause. Without a person, the server decides it.
 * @param {string | undefined} user
 * @returns {Record<string, string>}
 */
export function headerOf(user) {
  return user === undefined ? {} : { [HEADER]: encodeURIComponent(user) };
}
