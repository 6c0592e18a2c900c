import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import { JsonRecord, type RecordShape } from '../request/json-record.js';
import { isJsonNumber } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import { bindMember, fillRow } from './fill-write.js';
import type { KeyPart, PlanOptions, RowValues } from './plan.js';
import { isShortInteger, shortIntegers, type IntegerRange } from './values/coerce-number.js';
import { knownLength } from './values/coerce-string.js';

/** Converts a record of a body as `fillRow` does. */
export type FillRecord = (body: JsonValue) => RowValues | null;

/**
 * A column that the records name or that the API fills in. The list is in the order of the table's columns.
 */
interface FillTarget {
  readonly column: CompiledColumn;
  /** The index among the members, or -1 for a UUID that the API generates. */
  readonly at: number;
  /** Texts of at most this many UTF-16 units are stored unchanged. With -1, each text must be checked. */
  readonly textMax: number;
  /** The range of short integers that are stored unchanged, or null. */
  readonly integers: IntegerRange | null;
}

/**
 * Creates a converter that looks up the properties of columns once for all records with the same members,
 * instead of for each value.
 */
export function createRecordFiller(table: CompiledTable, options: Pick<PlanOptions, 'makeUuid'>): FillRecord {
  let shape: RecordShape | null = null;
  let positions: readonly FillTarget[] | null = null;
  return (body) => {
    if (!(body instanceof JsonRecord)) return fillRow(table, body, options);
    if (body.shape !== shape) {
      shape = body.shape;
      positions = placeMembers(table, shape);
    }
    return positions === null ? null : fillPlaces(positions, body.cells, options);
  };
}

/** Returns null if records with these members always need the slow path. */
function placeMembers(
  table: CompiledTable,
  { names, places: locations }: RecordShape,
): readonly FillTarget[] | null {
  const found: FillTarget[] = [];
  let seen = 0;
  for (const column of table.columns) {
    const index = locations.get(column.name) ?? -1;
    if (index >= 0) seen += 1;
    else if (!isFilledUuid(column)) {
      if (column.required) return null;
      continue;
    }
    if (index >= 0 && column.generated !== null) return null;
    found.push({
      column,
      at: index,
      textMax: knownLength(column),
      integers: column.autoIncrement ? null : shortIntegers(column),
    });
  }
  return seen === names.length ? found : null;
}

function fillPlaces(
  positions: readonly FillTarget[],
  cells: readonly JsonValue[],
  { makeUuid }: Pick<PlanOptions, 'makeUuid'>,
): RowValues | null {
  const row: KeyPart[] = [];
  for (let index = 0; index < positions.length; index += 1) {
    const { column, at: position, textMax, integers } = positions[index] as FillTarget;
    if (position === -1) {
      row.push({ column, value: makeUuid() });
      continue;
    }
    const value = cells[position] as JsonValue;
    if (column.autoIncrement && value === null) continue;
    if (typeof value === 'string' && value.length <= textMax) row.push({ column, value });
    else if (
      integers !== null &&
      value !== null &&
      isJsonNumber(value) &&
      isShortInteger(value.text) &&
      Number(value.text) < integers.below
    )
      row.push({ column, value: value.text });
    else {
      const bound = bindMember(column, value);
      if (bound === undefined || (column.autoIncrement && bound === '0')) return null;
      row.push({ column, value: bound });
    }
  }
  return row;
}
