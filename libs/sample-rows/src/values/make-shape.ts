import type { Random } from '../create-random.js';
import type { SampleValue } from '../types.js';
import type { ValueContext } from './value-context.js';

/**
 * Returns a point. Both numbers are valid latitudes, because the order of the axes depends on the reference
 * system.
 */
function point(random: Random): string {
  return `${(random.between(-600, 600) / 10).toFixed(1)} ${(random.between(-600, 600) / 10).toFixed(1)}`;
}

function line(random: Random): string {
  const [x, y] = [random.between(-60, 50), random.between(-60, 50)];
  return `(${x} ${y},${x + 1} ${y + 2},${x + 3} ${y + 3})`;
}

/** Returns a closed ring in counterclockwise order. */
function ring(random: Random): string {
  const [x, y] = [random.between(-60, 50), random.between(-60, 50)];
  return `((${x} ${y},${x + 2} ${y},${x + 2} ${y + 2},${x} ${y + 2},${x} ${y}))`;
}

const SHAPES: Readonly<Record<string, (random: Random) => string>> = {
  point: (random) => `POINT(${point(random)})`,
  linestring: (random) => `LINESTRING${line(random)}`,
  polygon: (random) => `POLYGON${ring(random)}`,
  multipoint: (random) => `MULTIPOINT((${point(random)}),(${point(random)}))`,
  multilinestring: (random) => `MULTILINESTRING(${line(random)},${line(random)})`,
  multipolygon: (random) => `MULTIPOLYGON(${ring(random)})`,
  geometrycollection: (random) => `GEOMETRYCOLLECTION(POINT(${point(random)}))`,
  geomcollection: (random) => `GEOMETRYCOLLECTION(POINT(${point(random)}))`,
};

/** Returns a geometry as well-known text. */
export function makeGeometry({ column, random }: ValueContext): SampleValue {
  const srid = / (?:SRID|REF_SYSTEM_ID)[ =](\d+)/.exec(column.definition)?.[1];
  return {
    kind: 'geometry',
    text: (SHAPES[column.type] ?? SHAPES['point'])?.(random) ?? '',
    srid: srid === undefined ? 0 : Number(srid),
  };
}

const DIMENSIONS_MAX = 16_383;

/** Returns the text of a vector with as many dimensions as the column has. */
export function makeVector({ column, random }: ValueContext): SampleValue {
  const dimensions = Math.min(Number(/\((\d+)\)/.exec(column.sqlType)?.[1] ?? 3), DIMENSIONS_MAX);
  return {
    kind: 'vector',
    text: `[${Array.from({ length: dimensions }, () => (random.between(-100, 100) / 100).toFixed(2)).join(',')}]`,
  };
}
