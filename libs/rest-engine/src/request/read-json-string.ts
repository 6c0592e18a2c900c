import { faultAt, validationError } from '@rowhouse/errors';
import { malformed, type JsonScanner } from './json-scanner.js';

/** Matches the text up to the next quote, escape or control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
/**
 * Matches the content of a valid string. The number of repetitions per match is limited, because the regular
 * expression engine stores a backtracking state for each of them.
 */
const VALID = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})){0,1000}/y;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * Reads the string whose opening quote is at `scanner.position`. Throws `body.invalid` for a string that is
 * not valid Unicode.
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
  // Escapes may encode lone surrogates. A string without escapes is well-formed if the whole text is.
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
 * Returns the position of the next quote that is not escaped. `from` is the position of the first backslash.
 * Returns the length of the text if the string is not closed.
 */
function findClosingQuote(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position;
    if (code === BACKSLASH) position += 1;
  }
  return text.length;
}

/** Decodes a quoted JSON string. Returns null if it is invalid. */
function decode(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** Returns the error for the invalid string whose content begins at `scanner.position`. */
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
