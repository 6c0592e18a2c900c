import { JsonRecord, type RecordShape } from './json-record.js';
import type { JsonScanner } from './json-scanner.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { findNumberEnd } from './read-json-number.js';

/** How the records of an array begin their members. */
export interface RecordReading {
  readonly shape: RecordShape;
  /** Each name in its quotes, with the colon behind it. */
  readonly probes: readonly string[];
  /** After so many that were none of these no other is looked at so. */
  triesLeft: number;
}

const TRIES = 4;
/** More than a table has columns. A record is read in one go, and a body may be in pieces. */
const NAMES_MAX = 4_096;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSE = 0x7d;
const WORDS: ReadonlyMap<number, { readonly text: string; readonly value: boolean | null }> = new Map([
  [0x74, { text: 'true', value: true }], [0x66, { text: 'false', value: false }], [0x6e, { text: 'null', value: null }],
]);

/** `first`: an object of the array, as it was read. Null: others are not to be read after it. */
export function expectRecords(first: JsonObject): RecordReading | null {
  if (first.size > NAMES_MAX) return null;
  const names = [...first.keys()];
  // As JSON writes them without an escape, which is how they are looked for.
  if (names.length === 0 || names.some((name) => JSON.stringify(name).length !== name.length + 2)) return null;
  return { shape: { names, places: new Map(names.map((name, at) => [name, at])) }, probes: names.map((name) => `"${name}":`), triesLeft: TRIES };
}

/**
 * The object whose brace is at `scanner.at`, if it names what the first of its array does, in the same order, and each member is a text
 * without escapes, a number or a word: then only values are cut out, and nothing is looked up. The names of the first differ, so
 * that none of them comes twice. Null for everything else, with nothing read: what it is, or is wrong with it, the long way tells.
 */
export function readJsonRecord(scanner: JsonScanner, { shape, probes }: RecordReading): JsonRecord | null {
  if (!scanner.isWellFormed) return null;
  const { text } = scanner;
  const cells: JsonValue[] = [];
  // At the brace, then at each comma.
  let { at } = scanner;
  for (let member = 0; member < probes.length; member += 1) {
    const probe = probes[member] as string;
    at = skipSpaces(text, at + 1);
    if (!text.startsWith(probe, at)) return null;
    at = skipSpaces(text, at + probe.length);
    const end = findScalarEnd(scanner, at);
    if (end === -1) return null;
    cells.push(cutScalar(text, at, end));
    at = skipSpaces(text, end);
    if (text.charCodeAt(at) !== (member === probes.length - 1 ? CLOSE : COMMA)) return null;
  }
  scanner.at = at + 1;
  return new JsonRecord(shape, cells);
}

/** Of the white space of JSON only what stands within a line: a body on many lines is read the long way. */
function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

/** Behind the text, number or word that begins at `at`; -1 where none does, or a text with an escape. */
function findScalarEnd({ text, isPlain }: JsonScanner, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) {
    const quote = isPlain ? text.indexOf('"', at + 1) : findPlainEnd(text, at + 1);
    return quote === -1 ? -1 : quote + 1;
  }
  const word = code > 0x39 ? WORDS.get(code) : undefined;
  if (word === undefined) return findNumberEnd(text, at);
  return text.startsWith(word.text, at) ? at + word.text.length : -1;
}

/** The quote that ends a text; -1 where an escape or a control character comes first. */
function findPlainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code < SPACE || code === BACKSLASH) return -1;
  }
  return -1;
}

function cutScalar(text: string, at: number, end: number): JsonValue {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return text.slice(at + 1, end - 1);
  const word = code > 0x39 ? WORDS.get(code) : undefined;
  return word === undefined ? { kind: 'number', text: text.slice(at, end) } : word.value;
}
