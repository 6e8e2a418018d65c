// Texts of a pseudo-language, which show in tests whether a layout has room for longer words.

/** @typedef {import('./text.js').TextTable} TextTable */

/** @type {Record<string, string>} */
const ACCENTED = {
  a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ö', s: 'š', u: 'ü', y: 'ý', A: 'Å', E: 'É', O: 'Ö', S: 'Š', T: 'Ŧ',
};
const EXTRA_LENGTH = 0.4;

/**
 * Returns a table whose texts are 40 % longer and have accents. Placeholders stay unchanged.
 * @param {TextTable} table
 * @returns {TextTable}
 */
export function pseudoTexts(table) {
  /** @type {TextTable} */
  const longer = {};
  for (const [key, entry] of Object.entries(table)) {
    longer[key] = typeof entry === 'function' ? values => lengthen(entry(values)) : lengthen(entry);
  }
  return longer;
}

/** @param {string} original */
function lengthen(original) {
  const accented = original.split(/(\{\w+\})/).map(part => part.startsWith('{') ? part : accent(part));
  const extra = '~'.repeat(Math.ceil(original.length * EXTRA_LENGTH));
  return `${accented.join('')}${extra}`;
}

/** @param {string} part */
function accent(part) {
  return [...part].map(character => ACCENTED[character] ?? character).join('');
}
