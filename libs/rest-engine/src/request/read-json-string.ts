import { faultAt, validationError } from '@rowhouse/errors';
import { malformed, type JsonScanner } from './json-scanner.js';

/** Matches everything up to a quote, an escape or a control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
/**
 * Matches valid string content. The number of repetitions per match is limited, because the regular
 * expression engine stores a backtracking state for each of them.
 */
const VALID = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})){0,1000}/y;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * Reads the string whose opening quote is at `scanner.position`. Throws `body.invalid` for one that cannot be
 * stored as Unicode text.
 */
export function readJsonString(scanner: JsonScanner): string {
  const { text } = scanner;
  const start = scanner.position;
  scanner.position += 1;
  if (scanner.isPlain) return readUntilQuote(scanner);
  skip(scanner, PLAIN);
  const isEscaped = text[scanner.position] === '\\';
  const end = isEscaped ? findClosingQuote(text, scanner.position) : scanner.position;
  const value = isEscaped ? decode(text.slice(start, end + 1)) : text.slice(start + 1, end);
  if (value === null || text[end] !== '"') throw faultInside(scanner);
  scanner.position = end + 1;
  // Escapes may be halves of a surrogate pair. Unescaped text is as well-formed as the whole text.
  if ((isEscaped || !scanner.isWellFormed) && !value.isWellFormed()) {
    throw validationError('body.invalid', [
      faultAt(
        scanner.path(),
        'The text contains half of a surrogate pair, which is not a character.',
        'lone_surrogate',
      ),
    ]);
  }
  return value;
}

function readUntilQuote(scanner: JsonScanner): string {
  const { text, position } = scanner;
  const end = text.indexOf('"', position);
  scanner.position = end === -1 ? text.length : end + 1;
  if (end === -1) throw malformed(scanner, 'the closing quote of a string');
  return text.slice(position, end);
}

/**
 * Returns the position of the next unescaped quote, searching from the first backslash. Returns the end of
 * the text for an unclosed string.
 */
function findClosingQuote(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position;
    if (code === BACKSLASH) position += 1;
  }
  return text.length;
}

/** Returns null for an invalid JSON string. */
function decode(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** Finds the fault in the string at `scanner.position`, which is after its opening quote. */
function faultInside(scanner: JsonScanner): Error {
  for (let position = -1; position !== scanner.position;) {
    ({ position } = scanner);
    skip(scanner, VALID);
  }
  return malformed(
    scanner,
    scanner.text[scanner.position] === '\\' ? 'a valid escape' : 'the closing quote of a string',
  );
}

function skip(scanner: JsonScanner, pattern: RegExp): void {
  pattern.lastIndex = scanner.position;
  pattern.test(scanner.text);
  scanner.position = pattern.lastIndex;
}
