// The plural forms of a language.

/**
 * Returns a function that makes the text of a count from its forms, such as
 * `{ one: '{count} entry', other: '{count} entries' }`.
 * @param {string} language
 * @returns {(forms: { other: string } & Record<string, string>) => import('./text.js').TextFunction}
 */
export function pluralsOf(language) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return forms => ({ count }) => {
    const number = Number(count);
    const form = forms[rules.select(number)] ?? forms.other;
    return form.replace('{count}', numbers.format(number));
  };
}
