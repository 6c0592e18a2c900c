import type { FaultLocation } from '@rowhouse/errors';
import { findAlike, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import { isJsonObject, nameJsonKind } from '../../request/json-value.js';
import type { JsonObject, JsonValue } from '../../request/json-value.js';
import { GENERATED_FAULT } from './claims.js';
import { hintColumn, unknownRelationship } from '../find-names.js';
import { readOperator } from '../filter/member-operator.js';
import type { PlanOptions } from '../plan-parts.js';
import { findReference, LATER } from '../references.js';
import { isDayKind } from '../../values/coerce-temporal.js';
import { coerceText } from '../../values/coerce-text.js';
import { coerceJson } from '../../values/coerce-json.js';
import type { BoundValue } from '../../values/cell.js';

/** Returns the body if it is an object. Adds a fault otherwise. */
export function readObject(body: JsonValue, loc: FaultLocation, faults: FaultList): JsonObject | null {
  if (isJsonObject(body)) return body;
  faults.add(loc, `Expected an object, not ${nameJsonKind(body)}.`, 'dict_type');
  return null;
}

/**
 * Returns the column that a member names. For an unknown name, returns null, and adds a fault unless unknown
 * members are ignored. Calls `noteRelated` if the name is that of a relationship.
 */
export function findMemberColumn(
  table: CompiledTable,
  name: string,
  loc: FaultLocation,
  unknownFields: 'reject' | 'ignore',
  faults: FaultList,
  noteRelated: (() => void) | null = null,
): CompiledColumn | null {
  const column = table.findWritable(name);
  if (column !== null) {
    if (column.generated === null) return column;
    faults.add(loc, GENERATED_FAULT, 'generated_column');
    return null;
  }
  if (table.findRelationship(name) !== null) {
    if (noteRelated !== null) noteRelated();
    else
      faults.add(
        loc,
        'Related records can only be written in a JSON body that creates or changes one record.',
        'related_record',
        `Write to the table of ${JSON.stringify(name)}, or send several writes to /_batch.`,
      );
  } else if (findAlike(name, table.relationships).length > 1) {
    const { msg, type, hint } = unknownRelationship(faults, table, name);
    faults.add(loc, msg, type, hint);
  } else if (unknownFields === 'reject') {
    faults.add(
      loc,
      `${table.name} has no column ${JSON.stringify(name)}.`,
      'extra_forbidden',
      hintColumn(faults, name, table),
    );
  }
  return null;
}

/**
 * Converts a member's value to the form that its column stores. Returns undefined after adding a fault. In a
 * batch, the result may be LATER, if the value comes from an earlier operation.
 */
export function readMember(
  column: CompiledColumn,
  value: JsonValue,
  loc: FaultLocation,
  options: Pick<PlanOptions, 'references' | 'noteZeroDate'>,
  faults: FaultList,
): BoundValue | undefined {
  const operator = readOperator(column, value);
  if (operator.kind === 'data') return storeValue(column, operator.value, loc, options, faults);
  if (operator.kind === '$inc') {
    faults.add(loc, '$inc needs an existing record.', 'increment');
    return undefined;
  }
  const found = findReference(operator.operand, options.references, loc, faults);
  if (found === null) return undefined;
  return found.kind === 'later' ? LATER : storeValue(column, found.value, loc, options, faults);
}

function storeValue(
  column: CompiledColumn,
  value: JsonValue,
  loc: FaultLocation,
  { noteZeroDate }: Pick<PlanOptions, 'noteZeroDate'>,
  faults: FaultList,
): BoundValue | undefined {
  const coerced = coerceJson(column, value);
  if (coerced.kind === 'value') return coerced.value;
  const oddDay =
    noteZeroDate === undefined || typeof value !== 'string' || !isDayKind(column)
      ? null
      : coerceText(column, value, 'filter');
  if (oddDay?.kind === 'value' && noteZeroDate !== undefined) {
    noteZeroDate();
    return oddDay.value;
  }
  faults.add(loc, coerced.msg, coerced.type, coerced.hint ?? null);
  return undefined;
}
