import { faultAt, validationError } from '@rowhouse/errors';
import { malformed, type JsonScanner } from './json-scanner.js';

/** Everything up to a quote, an escape or a control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
/** What may stand in a string; so much of it at a time that the engine keeps no long way back. */
const VALID = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})){0,1000}/y;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** The string whose opening quote is at `scanner.at`. Throws `body.invalid` for one that cannot be stored as Unicode text. */
export function readJsonString(scanner: JsonScanner): string {
  const { text } = scanner;
  const start = scanner.at;
  scanner.at += 1;
  if (scanner.isPlain) return readUntilQuote(scanner);
  skip(scanner, PLAIN);
  const isEscaped = text[scanner.at] === '\\';
  const end = isEscaped ? findClosingQuote(text, scanner.at) : scanner.at;
  const value = isEscaped ? decode(text.slice(start, end + 1)) : text.slice(start + 1, end);
  if (value === null || text[end] !== '"') throw faultInside(scanner);
  scanner.at = end + 1;
  // Escapes may be halves of a pair; what is plain is as whole as the text.
  if ((isEscaped || !scanner.isWellFormed) && !value.isWellFormed()) {
    throw validationError('body.invalid', [faultAt(scanner.path(), 'The text holds half of a surrogate pair, which is no character.', 'lone_surrogate')]);
  }
  return value;
}

function readUntilQuote(scanner: JsonScanner): string {
  const { text, at } = scanner;
  const end = text.indexOf('"', at);
  scanner.at = end === -1 ? text.length : end + 1;
  if (end === -1) throw malformed(scanner, 'the closing quote of a string');
  return text.slice(at, end);
}

/** The next quote that is not escaped, from the first backslash on; the end of the text where there is none. */
function findClosingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Null: it is no JSON string. */
function decode(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** Where the string at `scanner.at`, behind its opening quote, is at fault. */
function faultInside(scanner: JsonScanner): Error {
  for (let at = -1; at !== scanner.at; ) {
    ({ at } = scanner);
    skip(scanner, VALID);
  }
  return malformed(scanner, scanner.text[scanner.at] === '\\' ? 'an escape that JSON knows' : 'the closing quote of a string');
}

function skip(scanner: JsonScanner, pattern: RegExp): void {
  pattern.lastIndex = scanner.at;
  pattern.test(scanner.text);
  scanner.at = pattern.lastIndex;
}
