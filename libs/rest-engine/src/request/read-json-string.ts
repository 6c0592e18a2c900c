import { faultAt, validationError } from '@rowhouse/errors';
import { malformed, type JsonScanner } from './json-scanner.js';

/** Everything up to a quote, an escape or a control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'], ['\\', '\\'], ['/', '/'], ['b', '\b'], ['f', '\f'], ['n', '\n'], ['r', '\r'], ['t', '\t'],
]);

/** The string whose opening quote is at `scanner.at`. Throws `body.invalid` for one that cannot be stored as Unicode text. */
export function readJsonString(scanner: JsonScanner): string {
  scanner.at += 1;
  if (scanner.isPlain) return readUntilQuote(scanner);
  let value = readPlain(scanner);
  while (scanner.text[scanner.at] === '\\') value += readEscape(scanner) + readPlain(scanner);
  if (scanner.text[scanner.at] !== '"') throw malformed(scanner, 'the closing quote of a string');
  scanner.at += 1;
  if (!value.isWellFormed()) {
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

function readPlain(scanner: JsonScanner): string {
  const start = scanner.at;
  PLAIN.lastIndex = start;
  PLAIN.test(scanner.text);
  scanner.at = PLAIN.lastIndex;
  return scanner.text.slice(start, scanner.at);
}

function readEscape(scanner: JsonScanner): string {
  const char = scanner.text[scanner.at + 1] ?? '';
  const known = ESCAPES.get(char);
  if (known !== undefined) {
    scanner.at += 2;
    return known;
  }
  const digits = scanner.text.slice(scanner.at + 2, scanner.at + 6);
  if (char !== 'u' || !/^[0-9A-Fa-f]{4}$/.test(digits)) throw malformed(scanner, 'an escape that JSON knows');
  scanner.at += 6;
  return String.fromCharCode(Number.parseInt(digits, 16));
}
