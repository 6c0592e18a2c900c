import type { CompiledColumn } from '@rowhouse/schema-model';
import { isJsonArray, isJsonNumber, isJsonObject } from '../request/json-value.js';
import type { JsonObject, JsonValue } from '../request/json-value.js';
import { serializeJson } from '../request/serialize-json.js';
import { fits, reject, type Coerced } from './coerced.js';

/** The nesting depth of the arrays in `coordinates` for each GeoJSON type. A single position has depth 0. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['Point', 0],
  ['MultiPoint', 1],
  ['LineString', 1],
  ['MultiLineString', 2],
  ['Polygon', 2],
  ['MultiPolygon', 3],
]);
/** The GeoJSON types that each column type accepts. A column type that is not listed accepts all of them. */
const SUBTYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['point', ['Point']],
  ['linestring', ['LineString']],
  ['polygon', ['Polygon']],
  ['multipoint', ['MultiPoint']],
  ['multilinestring', ['MultiLineString']],
  ['multipolygon', ['MultiPolygon']],
  ['geometrycollection', ['GeometryCollection', 'MultiPoint', 'MultiLineString', 'MultiPolygon']],
  ['geomcollection', ['GeometryCollection', 'MultiPoint', 'MultiLineString', 'MultiPolygon']],
]);

/**
 * Converts a GeoJSON geometry and validates it completely. The servers do not: one of them accepts a line
 * with one point, silently drops third dimensions, and reads a point without coordinates from uninitialized
 * memory.
 */
export function coerceGeometry(column: CompiledColumn, value: JsonObject): Coerced {
  const fault = findGeometryFault(value);
  if (fault !== null) return reject(fault, 'geometry_parsing', hintFor(value));
  const type = readType(value);
  const taken = SUBTYPES.get(column.type);
  if (taken !== undefined && !taken.includes(type))
    return reject(`The column takes ${taken.join(', ')}, not ${type}.`, 'geometry_type');
  return fits(serializeJson(value));
}

function readType(value: JsonObject): string {
  const type = value.get('type');
  return typeof type === 'string' ? type : '';
}

function hintFor(value: JsonObject): string | undefined {
  const type = readType(value);
  return type === 'Feature' || type === 'FeatureCollection'
    ? 'Send only the geometry of the feature.'
    : undefined;
}

function findGeometryFault(value: JsonValue): string | null {
  if (!isJsonObject(value)) return 'Expected a GeoJSON object.';
  const type = readType(value);
  if (type === 'GeometryCollection') return findCollectionFault(value);
  const depth = DEPTHS.get(type);
  if (depth === undefined)
    return `The type must be one of ${[...DEPTHS.keys(), 'GeometryCollection'].join(', ')}.`;
  if (value.size !== 2 || !value.has('coordinates'))
    return 'A geometry must have the members type and coordinates only.';
  return findCoordinatesFault(value.get('coordinates') ?? null, depth, type);
}

function findCollectionFault(value: JsonObject): string | null {
  const geometries = value.get('geometries') ?? null;
  if (value.size !== 2 || !isJsonArray(geometries))
    return 'A GeometryCollection must have the members type and geometries only.';
  for (const geometry of geometries) {
    const fault = findGeometryFault(geometry);
    if (fault !== null) return fault;
  }
  return null;
}

function findCoordinatesFault(value: JsonValue, depth: number, type: string): string | null {
  if (depth === 0)
    return isPosition(value) ? null : 'A position must be two numbers: longitude and latitude, or x and y.';
  if (!isJsonArray(value) || value.length === 0)
    return `The coordinates of a ${type} must be non-empty lists of positions, nested ${depth} deep.`;
  for (const part of value) {
    const fault = findCoordinatesFault(part, depth - 1, type);
    if (fault !== null) return fault;
  }
  if (depth !== 1 || type === 'MultiPoint') return null;
  if (type.endsWith('Polygon'))
    return isRing(value) ? null : 'A ring needs at least four positions, and the last must equal the first.';
  return value.length >= 2 ? null : 'A line needs at least two positions.';
}

export function isPosition(value: JsonValue): boolean {
  return (
    isJsonArray(value) &&
    value.length === 2 &&
    value.every((part) => isJsonNumber(part) && Number.isFinite(Number(part.text)))
  );
}

export function isRing(positions: readonly JsonValue[]): boolean {
  if (positions.length < 4) return false;
  const numbers = (value: JsonValue | undefined): string =>
    value !== undefined && isJsonArray(value)
      ? value.map((part) => (isJsonNumber(part) ? Number(part.text) : Number.NaN)).join()
      : '';
  return numbers(positions[0]) === numbers(positions.at(-1));
}
