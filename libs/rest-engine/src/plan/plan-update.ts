import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { UpdateRequest } from '../request/api-request.js';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import { isJsonNumber } from '../request/json-kind.js';
import type { JsonObject, JsonValue } from '../request/json-value.js';
import type { BoundValue } from '../sql/statement.js';
import { findMemberColumn, readMember, readObject } from './plan-body.js';
import { planConditions, requireIfMatch } from './plan-if-match.js';
import { readOperator } from './member-operator.js';
import { planKey } from './plan-key.js';
import type { Assignment, KeyPart, PlanOptions, Touch, UpdatePlan } from './plan.js';
import { LATER } from './references.js';
import { coerceDecimal, coerceFloat, coerceInteger } from './values/coerce-number.js';
import type { Coerced } from './values/coerced.js';

/** PUT and PATCH alike: columns that the body leaves out keep their values. */
export function planUpdate(request: UpdateRequest, options: PlanOptions): UpdatePlan {
  const { table, preferences } = request;
  const key = [...planKey(table, request.key)];
  requireIfMatch(table, request.ifMatch, options);
  const faults = createFaultList('body.invalid');
  const object = readObject(request.body, ['body'], faults);
  const changes = object === null ? [] : planChanges(table, object, key, options, faults);
  faults.throwIfAny();
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  const conditions = planConditions(table, request, options);
  if (preferences.transaction === 'rollback' || conditions !== null) touches.push({ table: table.name, verb: 'read' });
  const isMinimal = preferences.result === 'minimal' || !table.verbs.includes('read');
  return { kind: 'update', table, touches, address: request.address, preferences, key, conditions, changes, answer: isMinimal ? null : table.shown };
}

/** `key`: of the one record that is addressed, which the body may repeat; null: of many, and the body names no key column. */
export function planChanges(table: CompiledTable, object: JsonObject, key: KeyPart[] | null, options: PlanOptions, faults: FaultList): readonly Assignment[] {
  const changes: Assignment[] = [];
  for (const [name, value] of object) {
    if (faults.isFull()) break;
    const loc = ['body', name];
    const column = findMemberColumn(table, name, loc, options.unknownFields, faults);
    if (column === null) continue;
    const operator = readOperator(column, value);
    const isKey = table.rowKey?.includes(column) === true;
    if (operator.kind === '$inc' && !isKey) addIncrement(column, operator.operand, loc, changes, faults);
    else {
      const bound = readMember(column, value, loc, options, faults);
      if (bound === undefined || (isKey && bound === LATER)) continue;
      if (isKey) checkKeyMember(column, bound, key, loc, faults);
      else changes.push({ kind: 'set', column, value: bound });
    }
  }
  return changes.sort((a, b) => a.column.position - b.column.position);
}

/** A body may repeat the key it was addressed by. Addressed by UUID, the numeric key becomes a condition. */
function checkKeyMember(column: CompiledColumn, bound: BoundValue, key: KeyPart[] | null, loc: readonly string[], faults: FaultList): void {
  const part = key?.find((candidate) => candidate.column === column);
  if (part === undefined && key !== null) key.push({ column, value: bound });
  else if (part === undefined || !isSameValue(part.value, bound)) faults.add(loc, 'The key of a record cannot be changed.', 'key_changed');
}

function isSameValue(a: BoundValue, b: BoundValue): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((byte, at) => byte === b[at]);
  return a === b;
}

function addIncrement(column: CompiledColumn, operand: JsonValue, loc: readonly string[], changes: Assignment[], faults: FaultList): void {
  const text = isJsonNumber(operand) ? operand.text : typeof operand === 'string' ? operand : null;
  const added = text === null ? null : coerceIncrement(column, text);
  if (added === null) faults.add(loc, '$inc adds a number to a numeric column.', 'increment');
  else if (added.kind === 'refused') faults.add(loc, added.msg, added.type);
  else changes.push({ kind: 'add', column, value: added.value });
}

/** May be negative where the column may not. */
function coerceIncrement(column: CompiledColumn, text: string): Coerced | null {
  switch (column.valueKind) {
    case 'integer': return coerceInteger({ ...column, type: 'bigint', unsigned: false }, text, 'write', true);
    case 'decimal': return coerceDecimal({ ...column, unsigned: false }, text, 'write');
    case 'float':
    case 'double': return coerceFloat({ ...column, unsigned: false }, text, 'write');
    default: return null;
  }
}
