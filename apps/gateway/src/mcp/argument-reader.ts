import { nearestNames } from '@rowhouse/errors';
import {
  createFaultList,
  encodeOnlyKey,
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '@rowhouse/rest-engine';

/**
 * Reads the arguments of a tool one by one. Missing arguments are null. `done` throws a 422 error with all
 * faults.
 */
export interface ArgumentReader {
  text(name: string): string | null;
  /** Returns the text. A missing argument is a fault, and the result is then an empty string. */
  requiredText(name: string): string;
  /** Also accepts one string with commas as separators. */
  texts(name: string): readonly string[] | null;
  integer(name: string, minimum: number, maximum: number): number | null;
  flag(name: string): boolean;
  object(name: string): JsonObject | null;
  objects(name: string, maximum: number): readonly JsonObject[] | null;
  values(name: string, maximum: number): readonly JsonValue[] | null;
  value(name: string): JsonValue | null;
  reject(name: string, message: string): void;
  done(): void;
}

/**
 * The maximum length of a text argument. Texts are split, escaped and compared, and a message may have
 * several megabytes.
 */
const TEXT_LENGTH_MAX = 262_144;
const TEXTS_MAX = 1_000;

export function readArguments(args: JsonObject, known: readonly string[]): ArgumentReader {
  const faults = createFaultList('body.invalid');
  const reject = (name: string, message: string): void => faults.add(['arguments', name], message, 'value');
  for (const name of args.keys()) {
    if (faults.isFull()) break;
    if (!known.includes(name)) reject(name, nameUnknown(name, known));
  }
  const value = (name: string): JsonValue | null => args.get(name) ?? null;

  function text(name: string): string | null {
    const provided = value(name);
    if (typeof provided === 'string' && provided.length > TEXT_LENGTH_MAX)
      reject(name, `can have at most ${TEXT_LENGTH_MAX.toLocaleString('en')} characters`);
    else if (provided === null || typeof provided === 'string') return provided;
    else reject(name, 'must be a string');
    return null;
  }

  function array<T extends JsonValue>(
    name: string,
    maximum: number,
    isItem: (item: JsonValue) => item is T,
    kind: string,
  ): readonly T[] | null {
    const provided = value(name);
    if (provided === null) return null;
    if (!Array.isArray(provided) || !(provided as readonly JsonValue[]).every(isItem))
      reject(name, `must be an array of ${kind}`);
    else if (provided.length === 0) reject(name, 'must not be empty');
    else if (provided.length > maximum) reject(name, `can have at most ${maximum} items`);
    else return provided as readonly T[];
    return null;
  }

  return {
    text,
    value,
    reject: reject,
    requiredText(name) {
      const provided = text(name);
      if (provided === '' || value(name) === null) reject(name, 'is required');
      return provided ?? '';
    },
    texts(name) {
      const provided = value(name);
      const parts =
        typeof provided === 'string'
          ? provided.split(',', TEXTS_MAX + 1).map((part) => part.trim())
          : array(name, TEXTS_MAX, isText, 'strings');
      if (parts === null || parts.length <= TEXTS_MAX) return parts;
      reject(name, `can have at most ${TEXTS_MAX} items`);
      return null;
    },
    integer(name, minimum, maximum) {
      const provided = value(name);
      if (provided === null) return null;
      const count =
        isNumber(provided) && /^\d{1,9}$/.test(provided.text) ? Number(provided.text) : Number.NaN;
      if (count >= minimum && count <= maximum) return count;
      reject(name, `must be an integer from ${minimum} to ${maximum}`);
      return null;
    },
    flag(name) {
      const provided = value(name);
      if (provided !== null && typeof provided !== 'boolean') reject(name, 'must be true or false');
      return provided === true;
    },
    object(name) {
      const provided = value(name);
      if (provided === null || isJsonObject(provided)) return provided;
      reject(name, 'must be an object');
      return null;
    },
    objects: (name, maximum) => array(name, maximum, isObject, 'objects'),
    values: (name, maximum) => array(name, maximum, (item): item is JsonValue => item !== null, 'values'),
    done: () => faults.throwIfAny(),
  };
}

function nameUnknown(name: string, known: readonly string[]): string {
  const similarNames = nearestNames(name, known);
  return similarNames.length > 0
    ? `unknown argument: did you mean ${similarNames.join(' or ')}?`
    : `unknown argument: the arguments are ${known.join(', ')}`;
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isObject(value: JsonValue): value is JsonObject {
  return isJsonObject(value);
}

function isNumber(value: JsonValue): value is JsonNumber {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Returns the long path of a table, which works for any name. */
export function tablePath(table: string): string {
  return `/_tables/${encodeURIComponent(table)}`;
}

/**
 * Returns the path of a record. `id` is a value, or an array with the values of a composite key. Any other
 * value is a fault of the argument `name`, and the result is empty.
 */
export function recordPath(
  table: string,
  id: JsonValue | null | undefined,
  reader: ArgumentReader,
  name: string,
): string {
  const values: readonly (JsonValue | null | undefined)[] = Array.isArray(id)
    ? (id as readonly JsonValue[])
    : [id];
  const parts = values.map(toKeyPart).filter((part) => part !== null);
  const [only] = parts;
  if (only !== undefined && parts.length === values.length)
    return `${tablePath(table)}/${parts.length === 1 ? encodeOnlyKey(only) : parts.map(encodeURIComponent).join(',')}`;
  reader.reject(name, 'must be a string or a number, or an array of them for a composite key');
  return '';
}

function toKeyPart(value: JsonValue | null | undefined): string | null {
  if (typeof value === 'string') return value;
  const isNumber = typeof value === 'object' && value !== null && 'kind' in value;
  return isNumber ? (value as JsonNumber).text : null;
}
