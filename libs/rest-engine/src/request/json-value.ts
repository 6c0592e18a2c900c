/**
 * A lossless JSON value. Numbers keep their digits, and objects keep their order and have no prototype.
 * Strings, booleans and null are plain JavaScript values.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** A number as written in the text. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}
