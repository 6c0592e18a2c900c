import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { Json, JsonObject } from './openapi-types.js';

/**
 * Returns an example body that creates a record, provided that the records it refers to exist. It contains
 * the required columns, or one optional column if none is required.
 */
export function toCreateExample(table: CompiledTable): JsonObject {
  const required = table.columns.filter(
    (column) => !column.hidden && column.required && !isFilledUuid(column),
  );
  return toExample(required.length > 0 ? required : listFree(table).slice(0, 1));
}

/**
 * Returns an example body that changes one column. Returns an empty object if all columns belong to the key.
 */
export function toUpdateExample(table: CompiledTable): JsonObject {
  return toExample(listFree(table).slice(0, 1));
}

/**
 * Returns the columns that an example may set: not those of keys and references, and not those that the
 * database sets.
 */
function listFree(table: CompiledTable): readonly CompiledColumn[] {
  const bound = new Set([
    ...(table.rowKey ?? []).map((column) => column.name),
    ...table.foreignKeys.flatMap((key) => key.columns),
  ]);
  return table.columns.filter(
    (column) =>
      !column.hidden && column.generated === null && !column.autoIncrement && !bound.has(column.name),
  );
}

function toExample(columns: readonly CompiledColumn[]): JsonObject {
  return Object.fromEntries(columns.map((column) => [column.name, toValue(column)]));
}

function toValue(column: CompiledColumn): Json {
  switch (column.valueKind) {
    case 'integer':
    case 'bit':
    case 'decimal':
    case 'float':
    case 'double':
      return 1;
    case 'boolean':
      return true;
    case 'year':
      return 2026;
    case 'enum':
      return column.labels?.[0] ?? '';
    case 'set':
      return column.labels === null ? [] : column.labels.slice(0, 1);
    case 'date':
      return '2026-01-31';
    case 'datetime':
      return '2026-01-31T12:00:00';
    case 'timestamp':
      return '2026-01-31T12:00:00Z';
    case 'time':
      return '12:00:00';
    case 'json':
      return {};
    case 'uuid':
      return '123e4567-e89b-42d3-a456-426614174000';
    case 'inet':
      return column.type === 'inet4' ? '192.0.2.1' : '2001:db8::1';
    case 'binary':
      return 'AA==';
    case 'vector':
      return Array.from({ length: Number(/\((\d+)\)/.exec(column.sqlType)?.[1] ?? 1) }, () => 0);
    case 'geometry':
      return toLocation(column.type);
    case 'string':
      return toText(column);
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'ann@example.org',
  uri: 'https://example.org',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.org',
};

/** Returns an example text for a column: the column's name, cut to the column's length. */
function toText(column: CompiledColumn): string {
  if (column.format !== null) return FORMATS[column.format] ?? '';
  return Array.from(column.name)
    .slice(0, column.maxLength ?? 64)
    .join('');
}

const LINE = [
  [0, 0],
  [1, 1],
];
const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const COORDINATES: Readonly<Record<string, Json>> = {
  point: [0, 0],
  linestring: LINE,
  polygon: [RING],
  multipoint: [[0, 0]],
  multilinestring: [LINE],
  multipolygon: [[RING]],
};
const KINDS: Readonly<Record<string, string>> = {
  linestring: 'LineString',
  polygon: 'Polygon',
  multipoint: 'MultiPoint',
  multilinestring: 'MultiLineString',
  multipolygon: 'MultiPolygon',
};

function toLocation(type: string): JsonObject {
  if (/^geom.*collection$/.test(type))
    return { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [0, 0] }] };
  const isKnown = Object.hasOwn(KINDS, type);
  return {
    type: isKnown ? (KINDS[type] ?? '') : 'Point',
    coordinates: COORDINATES[isKnown ? type : 'point'] ?? [],
  };
}
