import { JsonRecord, type RecordShape } from './json-value.js';
import type { JsonScanner } from './json-scanner.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { findNumberEnd } from './json-scanner.js';

/** The expected form of the records in an array. */
export interface RecordParserState {
  readonly shape: RecordShape;
  /** Each quoted name with the colon after it. */
  readonly probes: readonly string[];
  /** The number of remaining mismatches. At zero, the array is read by the slow path. */
  attemptsLeft: number;
}

const ATTEMPTS = 4;
/**
 * More than the columns of any table. A record is read without a pause, even when the body is read in slices.
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
 * Derives the expected form of later objects from `first`. Returns null if they must be read by the slow
 * path.
 */
export function expectRecords(first: JsonObject): RecordParserState | null {
  if (first.size > NAMES_MAX) return null;
  const names = [...first.keys()];
  // Names are searched for as JSON writes them without an escape.
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
 * Each value must be a string without escapes, a number or a literal. Only the values are cut out, and no
 * name is looked up. The expected names are distinct, so no member is a duplicate. Returns null for
 * everything else without consuming text. The slow path then reads the object or reports the fault.
 */
export function readJsonRecord(
  scanner: JsonScanner,
  { shape, probes }: RecordParserState,
): JsonRecord | null {
  if (!scanner.isWellFormed) return null;
  const { text } = scanner;
  const cells: JsonValue[] = [];
  // Points to the brace, and then to each comma.
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

/** Skips spaces only. A body with line breaks is read by the slow path. */
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
