import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import type { JsonObject } from '../../request/json-value.js';
import type { BoundValue } from '../../values/cell.js';
import { catchFault, GENERATED_FAULT, mayBeStored, type Claim } from './claims.js';
import { readIncrement } from './increments.js';
import { readOperator } from '../filter/member-operator.js';
import { findMemberColumn, readMember } from './plan-body.js';
import { findGenerated } from './plan-row.js';
import type { Assignment, KeyPart, PlanOptions } from '../plan-parts.js';
import { LATER } from '../references.js';

/** Information that `planChanges` collects in addition to the changes. */
export interface ChangeNotes {
  /**
   * Members with values that their columns do not accept. They are valid if they equal the stored values.
   * Collected only for changes of one record.
   */
  readonly claims: Claim[];
  hasZeroDate: boolean;
  /** Whether a member of the body names a relationship. */
  isNested: boolean;
}

const BODY: readonly string[] = ['body'];

/**
 * Returns the changes that a body describes. `key` is the key of the addressed record, which the body may
 * repeat. For changes of many records, `key` is null.
 */
export function planChanges(
  table: CompiledTable,
  object: JsonObject,
  key: KeyPart[] | null,
  options: PlanOptions,
  faults: FaultList,
  noted: ChangeNotes | null = null,
  at: readonly (string | number)[] = BODY,
): readonly Assignment[] {
  const changes: Assignment[] = [];
  const planOptions =
    noted === null ? options : { ...options, noteZeroDate: () => void (noted.hasZeroDate = true) };
  for (const [name, value] of object) {
    if (faults.isFull()) break;
    const loc = [...at, name];
    const generated = noted === null ? null : findGenerated(table, name);
    if (generated !== null) {
      noted?.claims.push({
        column: generated,
        value,
        fault: { loc, msg: GENERATED_FAULT, type: 'generated_column', hint: null },
      });
      continue;
    }
    const column = findMemberColumn(
      table,
      name,
      loc,
      options.unknownFields,
      faults,
      noted === null ? null : () => void (noted.isNested = true),
    );
    if (column === null) continue;
    const operator = readOperator(column, value);
    const isKey = table.rowKey?.includes(column) === true;
    if (operator.kind === '$inc' && !isKey) {
      const added = readIncrement(column, operator.operand, loc, faults);
      if (added !== undefined) changes.push({ kind: 'add', column, value: added });
    } else {
      const catcher =
        noted === null || isKey || operator.kind !== 'data' || !mayBeStored(column, operator.value)
          ? null
          : catchFault(faults);
      const bound = readMember(column, value, loc, planOptions, catcher ?? faults);
      const fault = catcher?.caught() ?? null;
      if (fault !== null) noted?.claims.push({ column, value, fault });
      if (bound === undefined || (isKey && column.autoIncrement && bound === LATER)) continue;
      if (isKey && column.autoIncrement) checkNumber(column, bound, key, loc, faults);
      else if (!isKey || !isRepeated(column, bound, key)) changes.push({ kind: 'set', column, value: bound });
    }
  }
  return changes.sort((a, b) => a.column.position - b.column.position);
}

/** Reports whether the body repeats the key of the URL, possibly in another notation. */
function isRepeated(column: CompiledColumn, bound: BoundValue, key: readonly KeyPart[] | null): boolean {
  const part = key?.find((candidate) => candidate.column === column);
  return part !== undefined && isSameValue(part.value, bound);
}

/**
 * Handles a value for the auto-increment column, which cannot be changed. If the URL addresses the record by
 * UUID, the value becomes a condition on the record.
 */
function checkNumber(
  column: CompiledColumn,
  bound: BoundValue,
  key: KeyPart[] | null,
  loc: readonly (string | number)[],
  faults: FaultList,
): void {
  const part = key?.find((candidate) => candidate.column === column);
  if (part === undefined && key !== null) key.push({ column, value: bound });
  else if (part === undefined || !isSameValue(part.value, bound))
    faults.add(loc, 'The database generates this number, so it cannot be changed.', 'key_changed');
}

function isSameValue(a: BoundValue, b: BoundValue): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, index) => byte === b[index]);
  return a === b;
}
