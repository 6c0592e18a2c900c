/**
 * The member names that the objects of an array share, in order. There is at least one name, and all names
 * are different.
 */
export interface RecordShape {
  readonly names: readonly string[];
  /** The index of each name. */
  readonly indexes: ReadonlyMap<string, number>;
}

/**
 * An object with the same member names as the other objects of its array. It implements the interface of a
 * map. Code that reads many records uses `cells` instead, which has the values in the order of the shape's
 * names.
 */
export class JsonRecord implements ReadonlyMap<string, JsonValue> {
  readonly shape: RecordShape;
  readonly cells: readonly JsonValue[];

  constructor(shape: RecordShape, cells: readonly JsonValue[]) {
    this.shape = shape;
    this.cells = cells;
  }

  get size(): number {
    return this.cells.length;
  }

  has(name: string): boolean {
    return this.shape.indexes.has(name);
  }

  get(name: string): JsonValue | undefined {
    const position = this.shape.indexes.get(name);
    return position === undefined ? undefined : this.cells[position];
  }

  keys(): MapIterator<string> {
    return this.shape.names.values();
  }

  values(): MapIterator<JsonValue> {
    return this.cells.values();
  }

  entries(): MapIterator<[string, JsonValue]> {
    return this.shape.names
      .map((name, position): [string, JsonValue] => [name, this.cells[position] as JsonValue])
      .values();
  }

  [Symbol.iterator](): MapIterator<[string, JsonValue]> {
    return this.entries();
  }

  forEach(
    call: (value: JsonValue, name: string, record: ReadonlyMap<string, JsonValue>) => void,
    self?: unknown,
  ): void {
    for (const [name, value] of this.entries()) call.call(self, value, name, this);
  }
} /**
 * A lossless JSON value. Numbers keep their digits, and objects keep their order and have no prototype.
 * Strings, booleans and null are plain JavaScript values.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** A number as it is written in the JSON text. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map || value instanceof JsonRecord;
}

export function isJsonArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

export function isJsonNumber(value: JsonValue): value is JsonNumber {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Returns the name of a value's JSON type for use in messages. */
export function nameJsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (isJsonNumber(value)) return 'a number';
  return typeof value === 'string' ? 'a string' : 'a boolean';
}

/**
 * Reports whether a value and all values nested in it are at most `valuesMax` values. Stops counting at that
 * number.
 */
export function isWithinValues(root: JsonValue, valuesMax: number): boolean {
  let found = 1;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isJsonArray(value) && !isJsonObject(value)) continue;
    found += isJsonArray(value) ? value.length : value.size;
    if (found > valuesMax) return false;
    for (const inner of value.values()) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return found <= valuesMax;
}
