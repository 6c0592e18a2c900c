import { nearestNames } from '@rowhouse/errors';
import { createFaultList, isJsonObject, type JsonNumber, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';

/**
 * Reads the arguments of a tool one by one. Missing arguments are null. `done` throws a 422 error with all
 * faults.
 */
export interface ArgumentReader {
  text(name: string): string | null;
  /** Returns an empty string for a missing argument, which is a fault. */
  requiredText(name: string): string;
  /** Also accepts one string with commas as separators. */
  texts(name: string): readonly string[] | null;
  integer(name: string, least: number, most: number): number | null;
  flag(name: string): boolean;
  object(name: string): JsonObject | null;
  objects(name: string, most: number): readonly JsonObject[] | null;
  values(name: string, most: number): readonly JsonValue[] | null;
  value(name: string): JsonValue | null;
  refuse(name: string, message: string): void;
  done(): void;
}

/** Longer texts are rejected. Texts are split, escaped or searched for, and a message may have megabytes. */
const TEXT_LENGTH_MAX = 262_144;
const TEXTS_MAX = 1_000;

export function readArguments(args: JsonObject, known: readonly string[]): ArgumentReader {
  const faults = createFaultList('body.invalid');
  const refuse = (name: string, message: string): void => faults.add(['arguments', name], message, 'value');
  for (const name of args.keys()) {
    if (faults.isFull()) break;
    if (!known.includes(name)) refuse(name, nameUnknown(name, known));
  }
  const value = (name: string): JsonValue | null => args.get(name) ?? null;

  function text(name: string): string | null {
    const given = value(name);
    if (typeof given === 'string' && given.length > TEXT_LENGTH_MAX) refuse(name, `has at most ${TEXT_LENGTH_MAX.toLocaleString('en')} characters`);
    else if (given === null || typeof given === 'string') return given;
    else refuse(name, 'must be a string');
    return null;
  }

  function array<T extends JsonValue>(name: string, most: number, isItem: (item: JsonValue) => item is T, kind: string): readonly T[] | null {
    const given = value(name);
    if (given === null) return null;
    if (!Array.isArray(given) || !(given as readonly JsonValue[]).every(isItem)) refuse(name, `must be an array of ${kind}`);
    else if (given.length === 0) refuse(name, 'must not be empty');
    else if (given.length > most) refuse(name, `holds at most ${most}`);
    else return given as readonly T[];
    return null;
  }

  return {
    text, value, refuse,
    requiredText(name) {
      const given = text(name);
      if (given === '' || value(name) === null) refuse(name, 'is required');
      return given ?? '';
    },
    texts(name) {
      const given = value(name);
      const parts = typeof given === 'string' ? given.split(',', TEXTS_MAX + 1).map((part) => part.trim()) : array(name, TEXTS_MAX, isText, 'strings');
      if (parts === null || parts.length <= TEXTS_MAX) return parts;
      refuse(name, `holds at most ${TEXTS_MAX}`);
      return null;
    },
    integer(name, least, most) {
      const given = value(name);
      if (given === null) return null;
      const count = isNumber(given) && /^\d{1,9}$/.test(given.text) ? Number(given.text) : Number.NaN;
      if (count >= least && count <= most) return count;
      refuse(name, `must be an integer from ${least} to ${most}`);
      return null;
    },
    flag(name) {
      const given = value(name);
      if (given !== null && typeof given !== 'boolean') refuse(name, 'must be true or false');
      return given === true;
    },
    object(name) {
      const given = value(name);
      if (given === null || isJsonObject(given)) return given;
      refuse(name, 'must be an object');
      return null;
    },
    objects: (name, most) => array(name, most, isObject, 'objects'),
    values: (name, most) => array(name, most, (item): item is JsonValue => item !== null, 'values'),
    done: () => faults.throwIfAny(),
  };
}

function nameUnknown(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length > 0 ? `unknown argument: did you mean ${near.join(' or ')}?` : `unknown argument: known here are ${known.join(', ')}`;
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
