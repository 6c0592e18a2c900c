/**
 * JSON without loss: numbers keep their digits, objects keep their order and know no prototype.
 * Strings, booleans and null are themselves.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** A number as it stands in the text. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}
