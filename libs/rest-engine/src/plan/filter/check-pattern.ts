/** A fault in a regular expression. Its position is a character index that begins with 0. */
export interface PatternFault {
  readonly msg: string;
  readonly position: number;
}

export const PATTERN_LENGTH_MAX = 200;
const REPEATS_MAX = 1000;
const DEPTH_MAX = 30;
/**
 * The characters that may follow a backslash. They have the same meaning in the regular expressions of both
 * engines.
 */
const LETTERS = new Set('dDwWsSbBtnrfAzZ');
const CODE = /\\(?:x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,6}\}|[pP]\{[A-Za-z_]{1,30}\})/y;
const POSIX = /\[:\^?[a-z]{1,10}:\]/y;
const GROUP = /\((?:\?(?::|=|!|<=|<!|>|<[A-Za-z]\w{0,30}>|[ims]{1,3}(?:-[ims]{1,3})?[:)]|-[ims]{1,3}[:)]))?/y;
const INTERVAL = /\{(\d{1,5})(?:(,)(\d{1,5})?)?\}/y;

interface PatternScanner {
  readonly text: string;
  position: number;
  depth: number;
  groups: number;
  /** The highest group number to which a back reference refers. */
  reference: number;
  /** Whether a quantifier may follow the part that was read last. */
  isAtom: boolean;
}

/**
 * Checks that a regular expression uses only syntax with the same meaning on both engines. PCRE (MariaDB) has
 * recursion, verbs and callouts, which ICU (MySQL) lacks. ICU has nested sets. Returns the first fault with
 * its position, or null. A character whose meaning could differ must be escaped.
 */
export function checkPattern(text: string): PatternFault | null {
  if (text === '') return { msg: 'The pattern is empty.', position: 0 };
  if (text.length > 2 * PATTERN_LENGTH_MAX || Array.from(text).length > PATTERN_LENGTH_MAX)
    return { msg: `A pattern has at most ${PATTERN_LENGTH_MAX} characters.`, position: PATTERN_LENGTH_MAX };
  const scanner: PatternScanner = { text, position: 0, depth: 0, groups: 0, reference: 0, isAtom: false };
  while (scanner.position < text.length) {
    const msg = readPiece(scanner);
    if (msg !== null) return { msg, position: scanner.position };
  }
  if (scanner.depth > 0) return { msg: 'The bracket "(" is not closed.', position: text.length };
  return scanner.reference > scanner.groups
    ? { msg: `There is no group ${scanner.reference}.`, position: 0 }
    : null;
}

/** Reads one part of the pattern. Returns a message if it is invalid. */
function readPiece(scanner: PatternScanner): string | null {
  switch (scanner.text[scanner.position]) {
    case '\\':
      return readEscape(scanner, false);
    case '[':
      return readClass(scanner);
    case '(':
      return openGroup(scanner);
    case ')':
      return closeGroup(scanner);
    case '*':
    case '+':
    case '?':
      return quantify(scanner, 1);
    case '{':
      return readInterval(scanner);
    case '}':
    case ']':
      return `Write a backslash before "${scanner.text[scanner.position] ?? ''}".`;
    case '|':
    case '^':
    case '$':
      return step(scanner, 1, false);
    default:
      return step(scanner, 1, true);
  }
}

function step(scanner: PatternScanner, length: number, isAtom: boolean): null {
  scanner.position += length;
  scanner.isAtom = isAtom;
  return null;
}

function take(scanner: PatternScanner, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = scanner.position;
  return pattern.exec(scanner.text);
}

function readEscape(scanner: PatternScanner, isInClass: boolean): string | null {
  const next = scanner.text[scanner.position + 1];
  if (next === undefined) return 'The pattern ends with a backslash.';
  const code = take(scanner, CODE)?.[0];
  if (code !== undefined) return step(scanner, code.length, true);
  if (/[1-9]/.test(next) && !isInClass) {
    scanner.reference = Math.max(scanner.reference, Number(next));
    return step(scanner, 2, true);
  }
  const isKnown = /[A-Za-z0-9]/.test(next)
    ? LETTERS.has(next) && !(isInClass && /[bBAzZ]/.test(next))
    : next <= '\u007f';
  return isKnown ? step(scanner, 2, !/[bBAzZ]/.test(next)) : `"\\${next}" is not supported.`;
}

/**
 * Reads a character class `[…]`. Nested sets, `&&` and `--` are rejected, because they differ between the
 * engines.
 */
function readClass(scanner: PatternScanner): string | null {
  const { text } = scanner;
  const start = scanner.position;
  scanner.position += text[start + 1] === '^' ? 2 : 1;
  const first = scanner.position;
  for (;;) {
    const char = text[scanner.position];
    if (char === undefined) return 'The bracket "[" is not closed.';
    if (char === ']')
      return scanner.position === first
        ? 'The set of characters is empty. Write "]" as \\].'
        : step(scanner, 1, true);
    const posix = char === '[' ? take(scanner, POSIX)?.[0] : undefined;
    if (char === '[' && posix === undefined) return 'In a set of characters, write "[" as \\[.';
    const pair = text.slice(scanner.position, scanner.position + 2);
    if (pair === '&&' || pair === '--' || pair === '~~')
      return `In a set of characters, write "${pair}" with backslashes.`;
    if (char === '\\') {
      const msg = readEscape(scanner, true);
      if (msg !== null) return msg;
    } else scanner.position += posix?.length ?? 1;
  }
}

function openGroup(scanner: PatternScanner): string | null {
  const head = take(scanner, GROUP)?.[0] ?? '(';
  const next = scanner.text[scanner.position + head.length];
  if (head === '(' && (next === '?' || next === '*'))
    return `"(${scanner.text.slice(scanner.position + 1, scanner.position + 3)}" is not supported.`;
  if (head === '(' || (head.startsWith('(?<') && head.endsWith('>'))) scanner.groups += 1;
  if (!head.endsWith(')')) scanner.depth += 1;
  return scanner.depth > DEPTH_MAX
    ? `Brackets can be nested at most ${DEPTH_MAX} deep.`
    : step(scanner, head.length, false);
}

function closeGroup(scanner: PatternScanner): string | null {
  if (scanner.depth === 0) return 'The bracket ")" was not opened.';
  scanner.depth -= 1;
  return step(scanner, 1, true);
}

/**
 * Reads a quantifier, which may be lazy (`+?`) or possessive (`++`). Returns a message if no quantifier is
 * allowed here.
 */
function quantify(scanner: PatternScanner, length: number): string | null {
  if (!scanner.isAtom)
    return `There is nothing that "${scanner.text.slice(scanner.position, scanner.position + length)}" repeats.`;
  const mark = scanner.text[scanner.position + length];
  return step(scanner, mark === '?' || mark === '+' ? length + 1 : length, false);
}

function readInterval(scanner: PatternScanner): string | null {
  const found = take(scanner, INTERVAL);
  if (found === null) return 'Write a backslash before "{".';
  const [minimum, maximum] = [
    Number(found[1]),
    found[2] === undefined ? Number(found[1]) : Number(found[3] ?? found[1]),
  ];
  if (minimum > maximum) return 'The first number in {…} must not exceed the second one.';
  if (maximum > REPEATS_MAX) return `A repetition can be at most ${REPEATS_MAX}.`;
  return quantify(scanner, found[0].length);
}
