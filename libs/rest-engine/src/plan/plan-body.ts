import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';
import { isJsonObject, nameJsonKind } from '../request/json-kind.js';
import type { JsonObject, JsonValue } from '../request/json-value.js';
import { hintNearest, visibleColumnNames } from './find-names.js';
import { coerceJson } from './values/coerce-json.js';
import type { BoundValue } from '../sql/statement.js';

type Loc = readonly (string | number)[];

/** The body as an object, or a fault. */
export function readObject(body: JsonValue, loc: Loc, faults: FaultList): JsonObject | null {
  if (isJsonObject(body)) return body;
  faults.add(loc, `An object is needed here, not ${nameJsonKind(body)}.`, 'dict_type');
  return null;
}

/** The column that a member names; null with a fault where it names none, or without one where such members are ignored. */
export function findMemberColumn(table: CompiledTable, name: string, loc: Loc, unknownFields: 'reject' | 'ignore', faults: FaultList): CompiledColumn | null {
  const column = table.findWritable(name);
  if (column !== null) {
    if (column.generated === null) return column;
    faults.add(loc, 'The column is generated: it cannot be set.', 'generated_column');
    return null;
  }
  if (table.findRelationship(name)?.name === name) faults.add(loc, 'Writing related records along is not served yet.', 'not_served');
  else if (unknownFields === 'reject') {
    faults.add(loc, `${table.name} has no column ${JSON.stringify(name)}.`, 'extra_forbidden', hintNearest(name, visibleColumnNames(table)));
  }
  return null;
}

/** The member's value as the column stores it; undefined with a fault. */
export function readMember(column: CompiledColumn, value: JsonValue, loc: Loc, faults: FaultList): BoundValue | undefined {
  const coerced = coerceJson(column, value);
  if (coerced.kind === 'value') return coerced.value;
  faults.add(loc, coerced.msg, coerced.type, coerced.hint ?? null);
  return undefined;
}
