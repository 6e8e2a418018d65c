/// <reference lib="es2022.intl" />
// Characters as people count them: grapheme clusters.

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the length of a text in characters, in which the limits of the server are.
 * @param {string} text
 */
export function characterCount(text) {
  return [...segmenter.segment(text.normalize('NFC'))].length;
}

/**
 * Returns the first character of a text, or an empty text.
 * @param {string} text
 */
export function firstCharacter(text) {
  const [first] = segmenter.segment(text);
  return first?.segment ?? '';
}
