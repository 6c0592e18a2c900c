import { ownMember } from '@rowhouse/schema-model';
import { refTo, type JsonObject } from './openapi-types.js';

/** The types of geometries in GeoJSON. */
export const GEOMETRY_KINDS = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
] as const;

const NAMES: Readonly<Record<string, string>> = {
  point: 'Point',
  linestring: 'LineString',
  polygon: 'Polygon',
  multipoint: 'MultiPoint',
  multilinestring: 'MultiLineString',
  multipolygon: 'MultiPolygon',
  geometrycollection: 'GeometryCollection',
  geomcollection: 'GeometryCollection',
};

/** Returns the name of the component for a geometry column of this type. `Geometry` matches every type. */
export function toGeometryName(type: string): string {
  return `GeoJson${ownMember(NAMES, type) ?? 'Geometry'}`;
}

/** Returns the schemas of GeoJSON (RFC 7946) by component name. */
export function emitGeometrySchemas(): Record<string, JsonObject> {
  const position: JsonObject = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 };
  const line = list(position, 2);
  const area = list(list(position, 4), 1);
  return {
    GeoJsonPoint: kind('Point', position),
    GeoJsonLineString: kind('LineString', line),
    GeoJsonPolygon: kind('Polygon', area),
    GeoJsonMultiPoint: kind('MultiPoint', list(position, 1)),
    GeoJsonMultiLineString: kind('MultiLineString', list(line, 1)),
    GeoJsonMultiPolygon: kind('MultiPolygon', list(area, 1)),
    GeoJsonGeometryCollection: {
      type: 'object',
      description: 'A GeoJSON GeometryCollection.',
      properties: {
        type: { type: 'string', enum: ['GeometryCollection'] },
        geometries: { type: 'array', items: refTo('schemas', 'GeoJsonGeometry') },
      },
      required: ['type', 'geometries'],
    },
    GeoJsonGeometry: {
      description: 'Any GeoJSON geometry.',
      oneOf: GEOMETRY_KINDS.map((name) => refTo('schemas', `GeoJson${name}`)),
    },
  };
}

function kind(name: string, coordinates: JsonObject): JsonObject {
  return {
    type: 'object',
    description: `A GeoJSON ${name}.`,
    properties: { type: { type: 'string', enum: [name] }, coordinates },
    required: ['type', 'coordinates'],
  };
}

function list(items: JsonObject, minItems: number): JsonObject {
  return { type: 'array', items, minItems };
}
