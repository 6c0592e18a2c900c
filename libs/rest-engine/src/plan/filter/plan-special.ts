import { AppError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { isJsonArray, isJsonNumber, isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import { parseJson } from '../../request/parse-json.js';
import { SEARCH_VALUES_MAX } from '../../request/parse-parameters.js';
import { serializeJson } from '../../request/serialize-json.js';
import type { ConditionContext } from './plan-named-condition.js';
import { CONTAINED_NUMBERS_MAX, planContainment } from './plan-containment.js';
import type { Condition } from './condition.js';
import { rejected, type PlannedCondition, joinConditions } from './condition.js';
import { isPosition, isRing } from '../../values/coerce-geometry.js';
import { toWholeNumber } from '../../values/coerce-number.js';
import { isExactInMysqlJson } from '../../values/exact-number.js';

const TEXT_MAX = 1000;
const POINTS_MAX = 1000;

/** Returns the columns of each FULLTEXT index whose columns are all visible to the API key. */
function fulltextIndexes(table: CompiledTable): (readonly CompiledColumn[])[] {
  return table.indexes
    .filter((index) => index.kind === 'fulltext')
    .map((index) => index.columns.map((part) => (part.name === null ? null : table.findColumn(part.name))))
    .filter((columns): columns is CompiledColumn[] => columns.length > 0 && !columns.includes(null));
}

/** Plans `_q`, which searches for the text in every FULLTEXT index of the table. */
export function planSearch(table: CompiledTable, text: string, ctx: ConditionContext): Condition | null {
  const indexes = fulltextIndexes(table);
  const wrong = findWrongText(text);
  if (indexes.length === 0)
    ctx.faults.add(
      ctx.loc,
      `${table.name} has no FULLTEXT index to search.`,
      'not_searchable',
      'Add a FULLTEXT index, or filter with {column}__contains.',
    );
  else if (wrong !== null) ctx.faults.add(ctx.loc, wrong, 'filter_value');
  else
    return joinConditions(
      'OR',
      indexes.map((columns) => ({ kind: 'match', columns, text })),
    );
  return null;
}

/** Plans `{column}__search`, which uses the FULLTEXT index that contains only this column. */
export function planColumnSearch(
  table: CompiledTable,
  column: CompiledColumn,
  text: string,
): PlannedCondition {
  const wrong = findWrongText(text);
  if (wrong !== null) return rejected(wrong, 'filter_value');
  const index = fulltextIndexes(table).find((columns) => columns.length === 1 && columns[0] === column);
  if (index === undefined)
    return rejected(
      `${column.name} has no FULLTEXT index of its own.`,
      'not_searchable',
      `Search the table with _q, or use ${column.name}__contains.`,
    );
  return { kind: 'condition', condition: { kind: 'match', columns: index, text } };
}

function findWrongText(text: string): string | null {
  if (text.trim() === '') return 'The search text is empty.';
  if (text.length > TEXT_MAX) return `A search text can have at most ${TEXT_MAX} characters.`;
  return /[\ud800-\udfff]/u.test(text)
    ? 'The text contains half of a surrogate pair, which is not a character.'
    : null;
}

/** Plans `json_contains` and `json_has_key`, for a whole JSON column or for a path inside it. */
export function planJsonTest(
  column: CompiledColumn,
  path: string | null,
  operator: 'json_contains' | 'json_has_key',
  text: string,
): PlannedCondition {
  if (column.valueKind !== 'json') return rejected(`${column.name} is not a JSON column.`, 'not_comparable');
  if (operator === 'json_has_key') {
    if (/[\ud800-\udfff]/u.test(text) || text === '')
      return rejected('The name of a member is empty.', 'filter_value');
    return {
      kind: 'condition',
      condition: { kind: 'json_has_key', column, path: `${path ?? '$'}.${JSON.stringify(text)}` },
    };
  }
  const value = readJson(text);
  if (value === undefined)
    return rejected(
      'This is not valid JSON.',
      'json_parsing',
      `${column.name}__json_contains={"a":1}, or "a" in quotes.`,
    );
  const exact = planContainment(value);
  if (exact === 'refused')
    return rejected(
      `json_contains can have at most ${CONTAINED_NUMBERS_MAX} numbers, each in the range of doubles.`,
      'filter_value',
    );
  const condition = { kind: 'json_contains', column, path, value: serializeJson(value) } as const;
  if (column.type !== 'json' || exact === null)
    return { kind: 'condition', condition: { ...condition, exact } };
  // MySQL compares the numbers that it can store exactly. It would round all other numbers before the
  // comparison.
  const whole = toWholeNumbers(value);
  return {
    kind: 'condition',
    condition: { ...condition, value: serializeJson(whole), exact: hasRounded(whole) ? 'never' : null },
  };
}

/**
 * Writes whole numbers without a decimal point or exponent. With one of them, MySQL would read the number as
 * a double.
 */
function toWholeNumbers(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (isJsonNumber(value)) return { ...value, text: toWholeNumber(value.text) ?? value.text };
  if (isJsonObject(value)) return new Map([...value].map(([name, member]) => [name, toWholeNumbers(member)]));
  return value.map(toWholeNumbers);
}

function hasRounded(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (isJsonNumber(value)) return !isExactInMysqlJson(value.text);
  return [...value.values()].some(hasRounded);
}

/** Plans `within`. The value is a polygon as GeoJSON, or a box as `left,bottom,right,top`. */
export function planWithin(column: CompiledColumn, text: string): PlannedCondition {
  if (column.valueKind !== 'geometry')
    return rejected(`${column.name} is not a geometry column.`, 'not_comparable');
  const box = /^-?\d{1,9}(?:\.\d{1,20})?(?:,-?\d{1,9}(?:\.\d{1,20})?){3}$/.test(text)
    ? text.split(',').map(Number)
    : null;
  const area = box === null ? readPolygon(text) : toPolygon(box);
  if (area === null)
    return rejected(
      'This is not an area. Write left,bottom,right,top or the GeoJSON of a Polygon.',
      'geometry_parsing',
    );
  return { kind: 'condition', condition: { kind: 'within', column, area } };
}

function toPolygon([remaining = 0, bottom = 0, right = 0, top = 0]: readonly number[]): string | null {
  if (remaining >= right || bottom >= top) return null;
  return JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [remaining, bottom],
        [right, bottom],
        [right, top],
        [remaining, top],
        [remaining, bottom],
      ],
    ],
  });
}

/** Parses a GeoJSON polygon. Each ring must have at least four points, the last of which equals the first. */
function readPolygon(text: string): string | null {
  const value = readJson(text);
  if (value === undefined || !isJsonObject(value) || value.size !== 2 || value.get('type') !== 'Polygon')
    return null;
  const rings = value.get('coordinates') ?? null;
  if (!isJsonArray(rings) || rings.length === 0) return null;
  let points = 0;
  for (const ring of rings) {
    if (!isJsonArray(ring) || !ring.every(isPosition) || !isRing(ring)) return null;
    points += ring.length;
  }
  return points > POINTS_MAX ? null : serializeJson(value);
}

function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text, { values: SEARCH_VALUES_MAX });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
