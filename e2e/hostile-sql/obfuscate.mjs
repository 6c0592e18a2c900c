// @ts-check
/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */

const BLANKS = [
  ' ',
  ' ',
  ' ',
  '\n',
  '\t',
  '  ',
  '/**/',
  ' /* x */ ',
  '\r\n',
  ' -- y\n',
  ' # z\n',
  '\f',
  '\v ',
];

/**
 * Rewrites a statement without changing its meaning: case, spaces, comments between tokens and quotes around
 * names. Quoted strings and comments stay as they are.
 * @param {Random} random
 * @param {string} sql
 */
export function obfuscate(random, sql) {
  const how = random.integer(4);
  if (how === 0) return sql;
  const parts = sql.split(
    /('(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*[^]*?\*\/|--[ \t][^\n]*(?:\n|$)|#[^\n]*(?:\n|$))/,
  );
  return parts.map((part, index) => (index % 2 === 1 ? part : obfuscatePlain(random, part, how))).join('');
}

/** @param {Random} random @param {string} text @param {number} how */
function obfuscatePlain(random, text, how) {
  const spaced = how === 1 ? text : text.replaceAll(' ', () => random.pick(BLANKS));
  return spaced.replaceAll(/[A-Z]{3,}/g, (word) =>
    random.maybe(0.5) ? word.toLowerCase() : random.maybe(0.3) ? mixCase(random, word) : word,
  );
}

/** @param {Random} random @param {string} word */
function mixCase(random, word) {
  return word
    .split('')
    .map((letter) => (random.maybe(0.5) ? letter.toLowerCase() : letter))
    .join('');
}
