// Finds the texts for people in the code of a script.

/** Names that are the same in every language, values of records, and names of interfaces of the browser. */
const NAMES = ['Natural Earth', 'On track', 'Near goal', 'Escape', 'Point'];

/** The code before classes of elements, queries of style sheets, and messages of the console. */
const NO_TEXT = /(class(Name)?['"]?\s*[:,]|(matchMedia|closest\??\.?|console\.\w+)\()\s*$/;

/** A reader of the literals in code. */
class Literals {
  constructor(code) {
    this.code = code;
    this.index = 0;
    this.found = [];
  }

  /** Reads code up to its end, or up to the brace after a value of a template. */
  readCode(isValue) {
    let depth = 0;
    while (this.index < this.code.length) {
      const character = this.code[this.index];
      if (this.code.startsWith('//', this.index)) {
        this.skipComment();
      } else if (character === "'" || character === '"' || character === '`') {
        this.readLiteral(character);
      } else {
        if (character === '{') depth += 1;
        if (character === '}') depth -= 1;
        this.index += 1;
        if (isValue && depth < 0) return;
      }
    }
  }

  skipComment() {
    const end = this.code.indexOf('\n', this.index);
    this.index = end < 0 ? this.code.length : end;
  }

  /** Reads a literal and keeps its parts between values, unless it is not a text. */
  readLiteral(quote) {
    const isText = !NO_TEXT.test(this.code.slice(0, this.index));
    const parts = [''];
    this.index += 1;
    while (this.index < this.code.length && this.code[this.index] !== quote) {
      if (quote === '`' && this.code.startsWith('${', this.index)) {
        this.index += 2;
        this.readCode(true);
        parts.push('');
      } else {
        if (this.code[this.index] === '\\') this.index += 1;
        parts[parts.length - 1] += this.code[this.index];
        this.index += 1;
      }
    }
    this.index += 1;
    if (isText) this.found.push(...parts);
  }
}

/** Whether a part of a literal is a word that begins with a capital, several words, or a word next to a value. */
function isProse(part) {
  if (/^[A-Z][a-z]+[.…]?$/.test(part.trim())) return true;
  return /[A-Za-z]{2,}[,.:;?]? [A-Za-z]{2,}/.test(part) || /(^| )[A-Za-z]{2,}[,.:]? $/.test(part)
    || /^[,.:]? [A-Za-z]{2,}/.test(part);
}

/** Returns the texts of a script that a person reads, as far as their form shows it. One lower-case word has no such form. */
export function visibleTexts(code) {
  const literals = new Literals(code);
  literals.readCode(false);
  return literals.found.filter(isProse).map(part => part.trim()).filter(part => !NAMES.includes(part));
}
