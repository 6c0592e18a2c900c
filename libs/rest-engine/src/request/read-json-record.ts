import { JsonRecord, type RecordShape } from './json-value.js';
import type { JsonScanner } from './json-scanner.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { findNumberEnd } from './json-scanner.js';

/** The expected form of the records in an array, with the state of the parser. */
export interface RecordParserState {
  readonly shape: RecordShape;
  /** Each expected name in quotes, with the colon after it. */
  readonly probes: readonly string[];
  /**
   * The number of records that may still differ from the expected form. At zero, the rest of the array is
   * parsed normally.
   */
  attemptsLeft: number;
}

const ATTEMPTS = 4;
/**
 * The maximum number of members in a record that is read at once. No table has as many columns. Reading a
 * record is not interrupted, even if the body is read in slices.
 */
const NAMES_MAX = 4_096;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSE = 0x7d;
const WORDS: ReadonlyMap<number, { readonly text: string; readonly value: boolean | null }> = new Map([
  [0x74, { text: 'true', value: true }],
  [0x66, { text: 'false', value: false }],
  [0x6e, { text: 'null', value: null }],
]);

/**
 * Derives the expected form of the later objects from the first object. Returns null if the objects must be
 * parsed normally.
 */
export function expectRecords(first: JsonObject): RecordParserState | null {
  if (first.size > NAMES_MAX) return null;
  const names = [...first.keys()];
  // The parser compares the text with each name in JSON notation. A name that needs an escape has several
  // notations, so it is not supported.
  if (names.length === 0 || names.some((name) => JSON.stringify(name).length !== name.length + 2))
    return null;
  return {
    shape: { names, indexes: new Map(names.map((name, position) => [name, position])) },
    probes: names.map((name) => `"${name}":`),
    attemptsLeft: ATTEMPTS,
  };
}

/**
 * Reads the object whose brace is at `scanner.position`, if it has the expected names in the same order.
 *
 * Each value must be a string without escapes, a number or a literal. Names are only compared with the text,
 * not parsed. All expected names are different, so no member is a duplicate. Returns null for any other
 * object, and does not move the scanner. The normal parser then reads the object or reports the fault.
 */
export function readJsonRecord(
  scanner: JsonScanner,
  { shape, probes }: RecordParserState,
): JsonRecord | null {
  if (!scanner.isWellFormed) return null;
  const { text } = scanner;
  const cells: JsonValue[] = [];
  // The position of the opening brace at first, and then of each comma.
  let { position } = scanner;
  for (let member = 0; member < probes.length; member += 1) {
    const probe = probes[member] as string;
    position = skipSpaces(text, position + 1);
    if (!text.startsWith(probe, position)) return null;
    position = skipSpaces(text, position + probe.length);
    const end = findScalarEnd(scanner, position);
    if (end === -1) return null;
    cells.push(cutScalar(text, position, end));
    position = skipSpaces(text, end);
    if (text.charCodeAt(position) !== (member === probes.length - 1 ? CLOSE : COMMA)) return null;
  }
  scanner.position = position + 1;
  return new JsonRecord(shape, cells);
}

/** Skips spaces, but no other white space. Records with line breaks are parsed normally. */
function skipSpaces(text: string, from: number): number {
  let position = from;
  while (text.charCodeAt(position) === SPACE) position += 1;
  return position;
}

/**
 * Returns the position after the string, number or literal that begins at `position`. Returns -1 for anything
 * else and for a string with an escape.
 */
function findScalarEnd({ text, isPlain }: JsonScanner, position: number): number {
  const code = text.charCodeAt(position);
  if (code === QUOTE) {
    const quote = isPlain ? text.indexOf('"', position + 1) : findPlainEnd(text, position + 1);
    return quote === -1 ? -1 : quote + 1;
  }
  const word = code > 0x39 ? WORDS.get(code) : undefined;
  if (word === undefined) return findNumberEnd(text, position);
  return text.startsWith(word.text, position) ? position + word.text.length : -1;
}

/**
 * Returns the position of a string's closing quote. Returns -1 if an escape or a control character comes
 * first.
 */
function findPlainEnd(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position;
    if (code < SPACE || code === BACKSLASH) return -1;
  }
  return -1;
}

function cutScalar(text: string, position: number, end: number): JsonValue {
  const code = text.charCodeAt(position);
  if (code === QUOTE) return text.slice(position + 1, end - 1);
  const word = code > 0x39 ? WORDS.get(code) : undefined;
  return word === undefined ? { kind: 'number', text: text.slice(position, end) } : word.value;
}
