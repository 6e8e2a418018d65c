// The problems of changes as texts for persons. The server's sentences are for programmers.

import { hasText, text } from './text.js';

/**
 * Returns the sentence of a problem, with its remedy.
 * @param {string} slug the code of the server's problem
 * @param {Readonly<Record<string, any>>} [parameters] the values of the problem, such as a limit
 */
export function problemText(slug, parameters = {}) {
  const key = `problem.${slug}`;
  return hasText(key) ? text(key, parameters) : text('problem.other', { slug });
}

/**
 * Returns the name of a field of a record.
 * @param {string} field
 */
export function fieldText(field) {
  const key = `field.${field}`;
  return hasText(key) ? text(key) : field;
}
