// @ts-check
/** Combines parts of text that clients, lexers and servers read differently, by a seeded generator. */

/**
 * @typedef {object} Random
 * @property {() => number} next returns a number from 0 to below 1
 * @property {(max: number) => number} below
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {(share: number) => boolean} chance
 */

/** @param {number} seed @returns {Random} */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ max) => Math.floor(next() * max);
  return {
    next,
    below,
    pick: (list) => /** @type {never} */ (list[below(list.length)]),
    chance: (share) => next() < share,
  };
}

/** A file that a command would leave in the working folder of the client. */
const MARKER = 'ran';
const COMMANDS = [
  `\\! touch ${MARKER}`,
  `system touch ${MARKER}`,
  `\\T ${MARKER}`,
  `tee ${MARKER}`,
  '\\. evil.sql',
  'source evil.sql',
  `\\P touch ${MARKER}`,
  `pager touch ${MARKER}`,
  'use canary',
  '\\u canary',
  '\\d //',
  'delimiter //',
  'DELIMITER $$',
  '\\q',
  'quit',
  '\\c',
  '\\g',
  '\\G',
  '\\s',
  'status',
  '\\h',
  '\\r',
  '\\e',
  'edit',
  '\\p',
  'print',
  '\\C gbk',
  'charset gbk',
  '\\W',
  '\\R x',
  'prompt x',
  '\\-',
  '; DROP TABLE canary.t;',
  ';; DROP TABLE canary.t ;;',
  '// DROP TABLE canary.t //',
  '$$ DROP TABLE canary.t $$',
];
const BREAKERS = [
  '\n',
  '\n',
  '\r',
  ';',
  ';;',
  '//',
  '$$',
  '@@',
  '||',
  '*/',
  '/*',
  '/*!',
  '/*!50000',
  '/*M!100100',
  '/*+',
  '-- ',
  '--\x01',
  '--\x7f',
  '#',
  "'",
  '"',
  '`',
  '\\',
  '\\\\',
  "\\'",
  '\t',
  '\x01',
  '\x08',
  '\x0b',
  '\x0c',
  '\x1a',
  '\x1b',
  '\x7f',
];
const LETTERS = [
  'a',
  'b c',
  'é',
  'あ',
  '表',
  'ソ',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '縺',
  'x'.repeat(30),
];

/**
 * @param {Random} random
 * @param {{ max?: number, astral?: boolean, crlf?: boolean }} [options] `max` is a number of characters
 */
export function hostileText(random, { max = 200, astral = true, crlf = true } = {}) {
  const parts = [];
  for (let count = 1 + random.below(6); count > 0; count -= 1) {
    const kind = random.next();
    if (kind < 0.3) parts.push(random.pick(COMMANDS));
    else if (kind < 0.75) parts.push(crlf && random.chance(0.1) ? '\r\n' : random.pick(BREAKERS));
    else parts.push(astral && random.chance(0.15) ? '😀' : random.pick(LETTERS));
    if (random.chance(0.3)) parts.push(random.pick(['\n', ' ', '\n ', '\n\t']));
  }
  return Array.from(parts.join('')).slice(0, max).join('');
}

/**
 * Returns a name that servers accept: up to 40 characters, without a space at the end. Names that no file can
 * hold are rare.
 * @param {Random} random
 */
export function hostileName(random) {
  const any = hostileText(random, { max: 40, astral: false })
    .replaceAll('\0', '')
    .replace(/[\s\u00a0]+$/, '');
  const text = random.chance(0.01)
    ? any
    : any.replaceAll(/\r[\r\n]*/g, '\r').replaceAll(/\\(?=\n|`|$)/g, '\\x');
  return text === '' ? `n${random.below(1_000)}` : text;
}

/** @param {string} name */
export function quoteName(name) {
  return `\`${name.replaceAll('`', '``')}\``;
}

/**
 * Quotes a text for a session that reads backslashes as escapes. Everything else stays as it is.
 * @param {string} text
 */
export function quoteText(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '\\0')}'`;
}

/**
 * Quotes a text for a session under NO_BACKSLASH_ESCAPES.
 * @param {string} text
 */
function quotePlain(text) {
  return `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`;
}

/**
 * Returns a string literal with any kind of quotes that this sql_mode knows.
 * @param {Random} random
 * @param {string} mode
 */
export function hostileLiteral(random, mode) {
  const text = hostileText(random);
  if (mode.includes('NO_BACKSLASH_ESCAPES')) return quotePlain(text);
  if (mode.includes('ANSI_QUOTES') || random.chance(0.5)) return quoteText(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', random.chance(0.5) ? '""' : '\\"')}"`;
}

const CONTROLS = [...Array.from({ length: 32 }, (_, position) => position + 1), 127]
  .filter((unit) => unit !== 10)
  .map((unit) => String.fromCharCode(unit));

/**
 * Returns a comment of any form, with text that a client would run if it saw no comment.
 * @param {Random} random
 * @param {'mariadb' | 'mysql'} engine
 */
export function hostileComment(random, engine) {
  const line = hostileText(random).replaceAll('\n', ' ');
  const block = hostileText(random)
    .replaceAll('*/', '* /')
    .replace(/^[!+M]/, ' ')
    .replace(/\*$/, '* ');
  const forms = [
    `--${random.pick(CONTROLS)}${line}\n`,
    `--\x01 ;; ${line}\n`,
    `-- ${line}\n`,
    `#${line}\n`,
    `/* ${block} */`,
    `/**/`,
    `/*+ ${block} */`,
    `/*!99999 ${block.replaceAll('/*', '/ *')} */`,
    ...(engine === 'mysql' ? [`/*M!100100 ${block.replaceAll('/*', '/ *')} */`] : []),
  ];
  return random.pick(forms);
}
