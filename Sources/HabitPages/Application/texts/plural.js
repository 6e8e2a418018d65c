// The plural forms of a language.

/**
 * Returns a function that chooses the text of a count, such as `{ one: '1 entry', other: '{count} entries' }`.
 * `{count}` stands for the count.
 * @param {string} language
 * @returns {(count: string | number, forms: { other: string } & Record<string, string>) => string}
 */
export function pluralsOf(language) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, forms) => {
    const number = Number(count);
    const form = forms[rules.select(number)] ?? forms.other;
    return form.replace('{count}', numbers.format(number));
  };
}
