import { faultAt, validationError } from '@rowhouse/errors';
import { isJsonObject, JsonRecord } from './json-value.js';
import { malformed, openScanner, type JsonScanner, findNumberEnd } from './json-scanner.js';
import type { JsonNumber, JsonValue } from './json-value.js';
import { expectRecords, readJsonRecord, type RecordParserState } from './read-json-record.js';
import { readJsonString } from './read-json-string.js';

export const JSON_DEPTH_MAX = 64;
/**
 * The maximum number of JSON values in a body. It allows ten thousand rows of fifty columns. Millions of tiny
 * values would block the process for seconds.
 */
export const JSON_VALUES_MAX = 511_000;
/**
 * The maximum number of members of one object. When a JavaScript map grows, it copies all its entries at
 * once, which blocks the process.
 */
export const JSON_MEMBERS_MAX = 100_000;

interface ArrayFrame {
  readonly kind: 'array';
  readonly items: JsonValue[];
  /**
   * The member names of the array's objects, up to the first difference in their order. All names are
   * different.
   */
  readonly names: string[];
  /**
   * The expected form of the array's objects, derived from the first. Null if the objects must be parsed one
   * by one without it. Undefined before the first object.
   */
  records: RecordParserState | null | undefined;
}

interface ObjectFrame {
  readonly kind: 'object';
  readonly members: Map<string, JsonValue>;
  name: string;
  /** The member names of the objects in the surrounding array. Null if the object is not in an array. */
  readonly names: string[] | null;
  /** Whether all members read so far have the same order as `names`. */
  isInOrder: boolean;
}

type Frame = ArrayFrame | ObjectFrame;

/** Marks an object or array that was opened and is not empty. Its first value is read next. */
const OPENED = Symbol('opened');

const SPACE = /[ \t\n\r]*/y;
const QUOTE = 0x22;

/** The number of JSON values that may still be read. Several texts of one body share this budget. */
export interface JsonBudget {
  values: number;
  /** The initial number of values, if it differs from the limit of a body. */
  readonly max?: number;
}

/** The state of the parser for one JSON text. */
interface JsonParserState {
  readonly scanner: JsonScanner;
  readonly stack: Frame[];
  readonly budget: JsonBudget;
  /** The last value that was read. It is not yet added to its object or array. */
  value: JsonValue | typeof OPENED;
}

/**
 * Parses JSON text without loss.
 *
 * Throws `request.malformed_json` (400) for invalid JSON. Throws `body.invalid` (422) in these cases:
 *
 * - A member occurs twice, because the intended one cannot be known.
 * - The nesting exceeds 64 levels.
 * - There are too many values, or too many members in one object.
 * - A string has a lone surrogate.
 *
 * The parser is not recursive, so nesting uses no stack.
 */
export function parseJson(text: string, budget: JsonBudget = { values: JSON_VALUES_MAX }): JsonValue {
  const jsonParserState = openReading(text, budget);
  readPiece(jsonParserState, Number.POSITIVE_INFINITY);
  return jsonParserState.value as JsonValue;
}

/** The number of characters that are read between two pauses. Characters of long strings count too. */
const CHARACTERS_PER_PIECE = 256 * 1024;

/**
 * Parses like `parseJson`, but awaits `pause` after each slice of about `valuesPerPiece` values or 256 Ki
 * characters. Rejects with the errors of `parseJson`.
 */
export async function parseJsonInPieces(
  text: string,
  valuesPerPiece: number,
  pause: () => Promise<void>,
): Promise<JsonValue> {
  const jsonParserState = openReading(text, { values: JSON_VALUES_MAX });
  if (text.length > CHARACTERS_PER_PIECE) await pause();
  while (!readPiece(jsonParserState, valuesPerPiece, CHARACTERS_PER_PIECE)) await pause();
  return jsonParserState.value as JsonValue;
}

function openReading(text: string, budget: JsonBudget): JsonParserState {
  const stack: Frame[] = [];
  const scanner = openScanner(text, () => pathOf(stack));
  return { scanner, stack, budget, value: readValue(scanner, stack) };
}

/**
 * Parses one slice of the text. Returns true at the end of the text. The result is then in
 * `jsonParserState.value`.
 */
function readPiece(
  jsonParserState: JsonParserState,
  valuesMax: number,
  charactersMax = Number.POSITIVE_INFINITY,
): boolean {
  const { scanner, stack, budget } = jsonParserState;
  let { value } = jsonParserState;
  const leastLeft = budget.values - valuesMax;
  const end = scanner.position + charactersMax;
  for (;;) {
    if (value === OPENED) {
      value = readValue(scanner, stack);
      continue;
    }
    // A JsonRecord is read at once, so all its members are counted here.
    budget.values -= value instanceof JsonRecord ? 1 + value.size : 1;
    if (budget.values < 0) throw tooManyValues(budget.max ?? JSON_VALUES_MAX);
    const frame = stack.at(-1);
    if (frame === undefined) break;
    if (frame.kind === 'array') frame.items.push(value);
    else frame.members.set(frame.name, value);
    value = readNext(scanner, stack, frame);
    if (budget.values >= leastLeft && scanner.position < end) continue;
    jsonParserState.value = value;
    return false;
  }
  skipSpace(scanner);
  if (scanner.position !== scanner.text.length) throw malformed(scanner, 'the end of the text');
  jsonParserState.value = value;
  return true;
}

function readValue(scanner: JsonScanner, stack: Frame[]): JsonValue | typeof OPENED {
  skipSpace(scanner);
  switch (scanner.text[scanner.position]) {
    case '"':
      return readJsonString(scanner);
    case '{':
      return openObject(scanner, stack);
    case '[':
      return openArray(scanner, stack);
    case 't':
      return readWord(scanner, 'true', true);
    case 'f':
      return readWord(scanner, 'false', false);
    case 'n':
      return readWord(scanner, 'null', null);
    default:
      return readNumber(scanner);
  }
}

/** Reads the text after a value: a comma and the next value, or the end of the object or array. */
function readNext(scanner: JsonScanner, stack: Frame[], frame: Frame): JsonValue | typeof OPENED {
  skipSpace(scanner);
  const char = scanner.text[scanner.position];
  const close = frame.kind === 'array' ? ']' : '}';
  if (char === ',') {
    scanner.position += 1;
    if (frame.kind === 'object') readName(scanner, stack, frame);
    return readValue(scanner, stack);
  }
  if (char !== close) throw malformed(scanner, `"," or "${close}"`);
  scanner.position += 1;
  stack.pop();
  return frame.kind === 'array' ? frame.items : frame.members;
}

function openArray(scanner: JsonScanner, stack: Frame[]): JsonValue | typeof OPENED {
  checkDepth(stack);
  scanner.position += 1;
  skipSpace(scanner);
  if (scanner.text[scanner.position] === ']') {
    scanner.position += 1;
    return [];
  }
  stack.push({ kind: 'array', items: [], names: [], records: undefined });
  return OPENED;
}

function openObject(scanner: JsonScanner, stack: Frame[]): JsonValue | typeof OPENED {
  checkDepth(stack);
  const around = stack.at(-1);
  const record = around?.kind === 'array' ? readRecord(scanner, around) : null;
  if (record !== null) return record;
  scanner.position += 1;
  skipSpace(scanner);
  if (scanner.text[scanner.position] === '}') {
    scanner.position += 1;
    return new Map();
  }
  const names = around?.kind === 'array' ? around.names : null;
  const frame: ObjectFrame = {
    kind: 'object',
    members: new Map(),
    name: '',
    names,
    isInOrder: names !== null,
  };
  stack.push(frame);
  readName(scanner, stack, frame);
  return OPENED;
}

/**
 * Reads an object with the same member names as the first object of its array. Returns null if the object has
 * another form and must be parsed normally.
 */
function readRecord(scanner: JsonScanner, around: ArrayFrame): JsonRecord | null {
  if (around.records === undefined) {
    const first = around.items.find(isJsonObject);
    if (first === undefined) return null;
    around.records = expectRecords(first);
  }
  if (around.records === null) return null;
  const record = readJsonRecord(scanner, around.records);
  if (record === null && --around.records.attemptsLeft === 0) around.records = null;
  return record;
}

function checkDepth(stack: readonly Frame[]): void {
  if (stack.length < JSON_DEPTH_MAX) return;
  throw validationError('body.invalid', [
    faultAt(['body'], `JSON can be nested at most ${JSON_DEPTH_MAX} deep.`, 'too_deep'),
  ]);
}

function tooManyValues(max: number): Error {
  const message =
    max === JSON_VALUES_MAX
      ? `A body can have at most ${max} JSON values. Send it in parts.`
      : `The value can have at most ${max} JSON values.`;
  return validationError('body.invalid', [faultAt(['body'], message, 'too_many_values')]);
}

/** Returns the error for an object with too many members. `stack` contains the location of the object. */
function tooManyMembers(stack: readonly Frame[]): Error {
  const message = `An object can have at most ${JSON_MEMBERS_MAX} members. Use an array.`;
  return validationError('body.invalid', [faultAt(pathOf(stack.slice(0, -1)), message, 'too_many_members')]);
}

function readName(scanner: JsonScanner, stack: readonly Frame[], frame: ObjectFrame): void {
  skipSpace(scanner);
  if (scanner.text[scanner.position] !== '"') throw malformed(scanner, 'a member name in double quotes');
  if (!readNameInOrder(scanner, frame)) readOtherName(scanner, stack, frame);
  skipSpace(scanner);
  if (scanner.text[scanner.position] !== ':') throw malformed(scanner, '":"');
  scanner.position += 1;
}

/**
 * Reads a member name if it equals the expected one. The records of a body usually have the same names in the
 * same order, so later names need not be parsed and hashed. All expected names are different, so a matching
 * name is not a duplicate.
 */
function readNameInOrder(scanner: JsonScanner, frame: ObjectFrame): boolean {
  if (!frame.isInOrder || !scanner.isPlain) return false;
  const name = frame.names?.[frame.members.size];
  const start = scanner.position + 1;
  if (
    name === undefined ||
    !scanner.text.startsWith(name, start) ||
    scanner.text.charCodeAt(start + name.length) !== QUOTE
  )
    return false;
  frame.name = name;
  scanner.position = start + name.length + 1;
  return true;
}

function readOtherName(scanner: JsonScanner, stack: readonly Frame[], frame: ObjectFrame): void {
  const { members, names } = frame;
  if (members.size === JSON_MEMBERS_MAX) throw tooManyMembers(stack);
  frame.name = readJsonString(scanner);
  if (members.has(frame.name)) {
    throw validationError('body.invalid', [
      faultAt(pathOf(stack), `The member "${frame.name}" occurs twice.`, 'duplicate_member'),
    ]);
  }
  if (frame.isInOrder && names?.length === members.size) names.push(frame.name);
  else frame.isInOrder = false;
}

function pathOf(stack: readonly Frame[]): (string | number)[] {
  return ['body', ...stack.map((frame) => (frame.kind === 'array' ? frame.items.length : frame.name))];
}

function readWord<T>(scanner: JsonScanner, word: string, value: T): T {
  if (!scanner.text.startsWith(word, scanner.position)) throw malformed(scanner, 'a JSON value');
  scanner.position += word.length;
  return value;
}

function readNumber(scanner: JsonScanner): JsonNumber {
  const { text, position } = scanner;
  const end = findNumberEnd(text, position);
  if (end === -1) throw malformed(scanner, 'a JSON value');
  scanner.position = end;
  return { kind: 'number', text: text.slice(position, end) };
}

function skipSpace(scanner: JsonScanner): void {
  const code = scanner.text.charCodeAt(scanner.position);
  if (code > 0x20) return;
  SPACE.lastIndex = scanner.position;
  SPACE.test(scanner.text);
  scanner.position = SPACE.lastIndex;
}
