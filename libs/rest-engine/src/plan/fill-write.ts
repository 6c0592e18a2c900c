import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import { isJsonObject } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import type { BoundValue } from '../sql/statement.js';
import type { Assignment, KeyPart, PlanOptions, RowValues } from './plan.js';
import { coerceJson } from './values/coerce-json.js';

/**
 * One record of a body as `planRow` would have it. Null for whatever is not plain: a member that is no column or may not be
 * set, a value that is refused, an operator, a column that is missing. What is wrong with it, if anything, the long way tells.
 */
export function fillRow(table: CompiledTable, body: JsonValue | undefined, { makeUuid }: Pick<PlanOptions, 'makeUuid'>): RowValues | null {
  if (body === undefined || !isJsonObject(body)) return null;
  const row: KeyPart[] = [];
  let seen = 0;
  // In the table's order, whatever that of the members. By index: an iterator for each record is a sixth of what many records allocate.
  const { columns } = table;
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at] as CompiledColumn;
    const value = body.get(column.name);
    if (value !== undefined) {
      seen += 1;
      if (column.autoIncrement && value === null) continue;
      const bound = bindMember(column, value);
      if (bound === undefined || (column.autoIncrement && bound === '0')) return null;
      row.push({ column, value: bound });
    } else if (isFilledUuid(column)) row.push({ column, value: makeUuid() });
    else if (column.required) return null;
  }
  return seen === body.size ? row : null;
}

/** What the members of a body set, as `planUpdate` would have it. Null as above, and where the body names a part of the key. */
export function fillChanges(table: CompiledTable, body: JsonValue | undefined): readonly Assignment[] | null {
  if (body === undefined || !isJsonObject(body)) return null;
  const changes: Assignment[] = [];
  let isSorted = true;
  let last = -1;
  for (const [name, value] of body) {
    const column = table.findWritable(name);
    const bound = column === null || table.rowKey?.includes(column) === true ? undefined : bindMember(column, value);
    if (column === null || bound === undefined) return null;
    if (column.position < last) isSorted = false;
    last = column.position;
    changes.push({ kind: 'set', column, value: bound });
  }
  return isSorted ? changes : changes.sort((a, b) => a.column.position - b.column.position);
}

/** As the column stores it; undefined where it does not, or the value may ask for something else. */
export function bindMember(column: CompiledColumn, value: JsonValue): BoundValue | undefined {
  if (column.generated !== null || (typeof value === 'object' && value !== null && isJsonObject(value) && value.size === 1)) return undefined;
  const coerced = coerceJson(column, value);
  return coerced.kind === 'value' ? coerced.value : undefined;
}
