// The texts of the application in the language of the person.

import { pluralsOf } from './plural.js';
import { english } from './texts.en.js';

/** @typedef {keyof typeof english} TextKey */
/** @typedef {Record<string, string | number>} TextValues */
/** @typedef {(values: TextValues) => string} TextFunction */
/** @typedef {Record<string, string | TextFunction>} TextTable */

// The tables besides English load only if a person needs them. The last two are pseudo-languages for tests: the first
// has longer words with accents, the second also runs from right to left.
/** @type {Record<string, () => Promise<TextTable>>} */
const loaders = {
  pt: async () => (await import('./texts.pt.js')).portuguese(pluralsOf('pt-PT')),
  ja: async () => (await import('./texts.ja.js')).japanese,
  'en-XA': async () => (await import('./pseudo.js')).pseudoTexts(english),
  'ar-XB': async () => (await import('./pseudo.js')).pseudoTexts(english),
};

const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

/** @type {{ language: string, table: TextTable }} */
const current = { language: 'en', table: english };

/**
 * Returns the language of the application for the preferences of a person, best first.
 * @param {readonly string[]} preferences
 * @returns {string} a BCP 47 tag, with the region that formats dates
 */
export function chooseLanguage(preferences) {
  const isKnown = (/** @type {string} */ tag) => tableName(tag) !== undefined;
  return preferences.find(isKnown) ?? 'en';
}

/**
 * Loads the texts of a language.
 * @param {string} language a result of `chooseLanguage`
 */
export async function loadTexts(language) {
  const load = loaders[tableName(language) ?? 'en'];
  current.table = load ? await load() : english;
  current.language = language;
}

/** The language of dates and numbers. */
export function language() {
  return current.language;
}

/** @returns {'ltr' | 'rtl'} the direction of the language */
export function direction() {
  return RIGHT_TO_LEFT.includes(baseLanguage(current.language)) ? 'rtl' : 'ltr';
}

/**
 * Returns a text. A key that a table lacks has its English text.
 * @param {TextKey} key
 * @param {TextValues} [values] the values of the placeholders, such as `{title}`
 * @returns {string}
 */
export function text(key, values = {}) {
  const entry = current.table[key] ?? english[key];
  if (typeof entry === 'function') return entry(values);
  return entry.replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder));
}

/**
 * Whether a key has a text, such as the key of a problem whose slug the server has added later.
 * @param {string} key
 * @returns {key is TextKey}
 */
export function hasText(key) {
  return key in english;
}

/**
 * Returns the name of the table of a language, or `undefined` if the application has no such language.
 * @param {string} tag
 */
function tableName(tag) {
  const names = ['en', ...Object.keys(loaders)];
  return names.find(name => name === tag) ?? names.find(name => name === baseLanguage(tag));
}

/** @param {string} tag */
function baseLanguage(tag) {
  return tag.toLowerCase().split('-')[0];
}
