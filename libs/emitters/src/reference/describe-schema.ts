import type { Json, JsonObject } from '../openapi/openapi-types.js';

/** The maximum number of enum values in the text of a type. */
const VALUES_MAX = 12;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the target of a reference within the document, or the node itself if it is not a reference. */
export function resolveRef(document: JsonObject, node: Json | undefined): JsonObject {
  const object = toObject(node);
  const path = object['$ref'];
  if (typeof path !== 'string') return object;
  const [, , kind = '', name = ''] = path.split('/');
  return toObject(toObject(toObject(document['components'])[kind])[name]);
}

/** Describes a JSON Schema in a few words, such as `string(255) | null` or `"draft" | "live"`. */
export function describeType(node: Json | undefined): string {
  const schema = toObject(node);
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1);
  const options = [...toList(schema['anyOf']), ...toList(schema['oneOf'])];
  if (options.length > 0) return [...new Set(options.map(describeType))].join(' | ');
  if (schema['enum'] !== undefined) return describeValues(toList(schema['enum']));
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  const types = typeof schema['type'] === 'string' ? [schema['type']] : toList(schema['type']).map(String);
  if (types.length === 0) return 'any';
  return types.map((type) => describeOne(type, schema)).join(' | ');
}

function describeValues(values: readonly Json[]): string {
  const shown = values.slice(0, VALUES_MAX).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > VALUES_MAX ? ['…'] : [])].join(' | ');
}

function describeOne(type: string, schema: JsonObject): string {
  if (type === 'array') {
    const item = describeType(schema['items']);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'string') return type;
  if (typeof schema['format'] === 'string') return schema['format'];
  if (schema['contentEncoding'] === 'base64') return 'base64';
  return typeof schema['maxLength'] === 'number' ? `string(${schema['maxLength']})` : 'string';
}
