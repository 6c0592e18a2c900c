import fc from 'fast-check';
import type { TypeCase, Written } from './type-case.js';

type Position = readonly [number, number];
interface Shape {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Shape[];
}

const CODES: Readonly<Record<string, number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
};
const SINGLES: Readonly<Record<string, string>> = {
  MultiPoint: 'Point',
  MultiLineString: 'LineString',
  MultiPolygon: 'Polygon',
};

function count(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}

function position([x, y]: Position): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeDoubleLE(x, 0);
  bytes.writeDoubleLE(y, 8);
  return bytes;
}

const line = (positions: readonly Position[]): Buffer =>
  Buffer.concat([count(positions.length), ...positions.map(position)]);

/** Encodes well-known binary as the engines store it: little-endian, with x or longitude first. */
function wkb(shape: Shape): Buffer {
  const head = Buffer.concat([Buffer.from([1]), count(CODES[shape.type] ?? 0)]);
  if (shape.type === 'GeometryCollection')
    return Buffer.concat([head, count(shape.geometries?.length ?? 0), ...(shape.geometries ?? []).map(wkb)]);
  const single = SINGLES[shape.type];
  if (single !== undefined) {
    const parts = shape.coordinates as readonly unknown[];
    return Buffer.concat([
      head,
      count(parts.length),
      ...parts.map((coordinates) => wkb({ type: single, coordinates })),
    ]);
  }
  if (shape.type === 'Point') return Buffer.concat([head, position(shape.coordinates as Position)]);
  if (shape.type === 'LineString')
    return Buffer.concat([head, line(shape.coordinates as readonly Position[])]);
  const rings = shape.coordinates as readonly (readonly Position[])[];
  return Buffer.concat([head, count(rings.length), ...rings.map(line)]);
}

function toWritten(shape: Shape, srid: number): Written {
  const json = JSON.stringify(shape);
  return {
    json,
    read: json,
    raw: Buffer.concat([count(srid), wkb(shape)])
      .toString('hex')
      .toUpperCase(),
  };
}

const plus = (value: number): number => (Object.is(value, -0) ? 0 : value);
/** Generates positions: any numbers with `isFlat`, and otherwise a longitude and a latitude. */
function positions(isFlat: boolean): fc.Arbitrary<Position> {
  const free = fc.double({ noNaN: true, noDefaultInfinity: true }).map(plus);
  const within = (maximum: number): fc.Arbitrary<number> =>
    fc
      .oneof(
        fc.double({ min: -maximum, max: maximum, noNaN: true }),
        fc.integer({ min: -maximum * 1000, max: maximum * 1000 }).map((value) => value / 1000),
      )
      .map(plus);
  return isFlat ? fc.tuple(free, free) : fc.tuple(within(179), within(89));
}

function shapes(isFlat: boolean): Readonly<Record<string, fc.Arbitrary<Shape>>> {
  const item = positions(isFlat);
  const path = fc.array(item, { minLength: 2, maxLength: 4 });
  const ring = fc.tuple(item, item, item).map(([a, b, c]): Position[] => [a, b, c, a]);
  const few = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(values, { minLength: 1, maxLength: 3 });
  const of = (type: string, coordinates: fc.Arbitrary<unknown>): fc.Arbitrary<Shape> =>
    coordinates.map((value) => ({ type, coordinates: value }));
  const plain = {
    point: of('Point', item),
    linestring: of('LineString', path),
    polygon: of('Polygon', few(ring)),
    multipoint: of('MultiPoint', few(item)),
    multilinestring: of('MultiLineString', few(path)),
    multipolygon: of('MultiPolygon', few(few(ring))),
  };
  const collection = fc
    .array(fc.oneof(...Object.values(plain)), { maxLength: 3 })
    .map((geometries): Shape => ({ type: 'GeometryCollection', geometries }));
  return {
    ...plain,
    geometrycollection: collection,
    geometry: fc.oneof(...Object.values(plain), collection),
  };
}

const BOX: readonly Position[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const EDGES: Readonly<Record<string, readonly Shape[]>> = {
  point: [
    { type: 'Point', coordinates: [0.1, 0.30000000000000004] },
    { type: 'Point', coordinates: [-179.99999999999997, 89.99999999999999] },
    { type: 'Point', coordinates: [1e-7, -1e-10] },
  ],
  linestring: [
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  polygon: [{ type: 'Polygon', coordinates: [BOX] }],
  multipoint: [
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  multilinestring: [
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    },
  ],
  multipolygon: [{ type: 'MultiPolygon', coordinates: [[BOX]] }],
  geometrycollection: [
    { type: 'GeometryCollection', geometries: [] },
    {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 2] },
        { type: 'GeometryCollection', geometries: [] },
      ],
    },
  ],
  geometry: [{ type: 'Point', coordinates: [5, 5] }],
};

function geometryCase(engine: 'mariadb' | 'mysql', type: string, srid: number, attribute: string): TypeCase {
  const isFlat = srid !== 4326;
  const values = (shapes(isFlat)[type] ?? fc.constant({ type: 'Point', coordinates: [0, 0] })).map((shape) =>
    toWritten(shape, srid),
  );
  return {
    name: `${type}${engine}${attribute.replaceAll(/\D/g, '')}`,
    type: `${type}${attribute}`,
    engine,
    values,
    edges: (EDGES[type] ?? []).map((shape) => toWritten(shape, srid)),
    raw: 'HEX(v)',
    compare: 'number',
    codePaths: ['null'],
  };
}

export const GEOMETRY_CASES: readonly TypeCase[] = [
  ...Object.keys(EDGES).map((type) => geometryCase('mariadb', type, 0, '')),
  // GeoJSON uses the reference system 4326, and MySQL stores it that way unless the column declares another
  // one.
  ...Object.keys(EDGES).map((type) => geometryCase('mysql', type, 4326, '')),
  geometryCase('mysql', 'point', 4326, ' srid 4326'),
  geometryCase('mysql', 'polygon', 4326, ' srid 4326'),
  geometryCase('mysql', 'point', 0, ' srid 0'),
  geometryCase('mysql', 'geometry', 0, ' srid 0'),
  geometryCase('mysql', 'point', 3857, ' srid 3857'),
];
