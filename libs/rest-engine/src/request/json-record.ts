import type { JsonValue } from './json-value.js';

/**
 * The member names that the objects of one array share, in order. The names are distinct, and there is at
 * least one.
 */
export interface RecordShape {
  readonly names: readonly string[];
  /** The index of each name. */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * An object with the same member names as its siblings in an array. It behaves like a map. Code that reads
 * many records uses `cells`, whose order is that of the shape's names.
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
    return this.shape.places.has(name);
  }

  get(name: string): JsonValue | undefined {
    const position = this.shape.places.get(name);
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
}
