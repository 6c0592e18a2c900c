import type { Assignment } from '../../plan/plan-parts.js';
import type { DeletePlan, UpdatePlan } from '../../plan/plan.js';
import { claimedProgram, guardedProgram, keyAfter } from './guarded-program.js';
import { allowOn } from '../program-parts.js';
import { comparePlaceholder, writePlaceholder } from '../placeholder.js';
import { selectList, type AliasedColumn } from '../read/select-list.js';
import { createStatementTexts } from '../statement-texts.js';
import type { Statement, StatementProgram } from '../statement.js';
import { placedVersionColumns } from '../version-columns.js';
import { keySql, nameKey } from '../condition/where.js';
import type { BoundValue, DigestCells } from '../../values/cell.js';

const texts = createStatementTexts();
/** Objects that identify cached SQL texts which do not depend on a select list. */
const UPDATES = {};
const DELETES = {};

/**
 * Returns the statements of an update. The change is sent together with the statement that reads the changed
 * record. If only the version is returned, it must be that of this change and not of a later one, so both
 * statements run in one transaction.
 */
export function updateProgram(plan: UpdatePlan, digest: DigestCells): StatementProgram {
  const statements: Statement[] = [];
  if (plan.changes.length > 0)
    statements.push(
      plan.hasZeroDate === true
        ? allowOn(updateStatement(plan), plan.table.schema.engine)
        : updateStatement(plan),
    );
  if (hasUpdateTag(plan) || plan.changes.length === 0 || movesRecord(plan))
    statements.push(readStatement(plan));
  if (plan.claims !== undefined) return claimedProgram(plan, statements, digest);
  if (plan.conditions !== null) return guardedProgram(plan, plan.conditions, statements, digest);
  const isRollback = plan.preferences.transaction === 'rollback';
  const isBound = plan.returned === null && statements.length > 1;
  return {
    transaction: isRollback ? 'rollback' : isBound ? 'commit' : 'none',
    first: { statements, isOrdered: true },
    next: () => null,
  };
}

function updateStatement(plan: UpdatePlan): Statement {
  const { table } = plan;
  const name = nameUpdate(plan);
  const known = name === null ? undefined : texts.find(table, UPDATES, name);
  if (known !== undefined)
    return {
      role: { kind: 'write', row: 0 },
      sql: known,
      params: [...plan.changes.map(valueOf), ...plan.key.map(valueOf)],
      shape: null,
    };
  const params: BoundValue[] = [];
  const changes = plan.changes.map((change) => assignmentSql(change, params)).join(', ');
  const sql = `UPDATE ${table.quoted} SET ${changes} WHERE ${keySql(plan.key, params)}`;
  return {
    role: { kind: 'write', row: 0 },
    sql: name === null ? sql : texts.keep(table, UPDATES, name, sql),
    params,
    shape: null,
  };
}

/**
 * Returns a cache name for the SQL text, made of the changed columns and the key columns. Returns null if the
 * text depends on a value.
 */
function nameUpdate({ changes, key }: UpdatePlan): string | null {
  const ofKey = nameKey(key);
  if (ofKey === null) return null;
  let name = `${ofKey}: `;
  for (const { kind, column } of changes) {
    if (kind !== 'set') return null;
    name += `${column.position} `;
  }
  return name;
}

function valueOf({ value }: Assignment | UpdatePlan['key'][number]): BoundValue {
  return value;
}

export function assignmentSql(change: Assignment, params: BoundValue[]): string {
  const { column, value } = change;
  params.push(value);
  if (change.kind === 'set') return `${column.quoted} = ${writePlaceholder(column)}`;
  // Without the cast, adding a text to an integer would return a double.
  const operand = column.valueKind === 'integer' ? 'CAST(? AS SIGNED)' : comparePlaceholder(column, value);
  // An increment treats NULL as 0, as an upsert does when it creates a record.
  return `${column.quoted} = ${column.nullable ? `COALESCE(${column.quoted}, 0)` : column.quoted} + ${operand}`;
}

/**
 * Reports whether the response has an ETag. Only API keys with the right to read can use a version in
 * `If-Match`.
 */
export function hasUpdateTag(plan: UpdatePlan): boolean {
  return plan.returned !== null || plan.table.verbs.includes('read');
}

const NOTHING: readonly never[] = Object.freeze([]);

function readStatement(plan: UpdatePlan): Statement {
  const { table } = plan;
  const list = selectList(plan.returned ?? NOTHING, '', readBackCells(plan));
  const key = keyAfter(plan);
  const name = nameKey(key);
  const known = name === null ? undefined : texts.find(table, list, name);
  if (known !== undefined)
    return { role: { kind: 'records' }, sql: known, params: key.map(valueOf), shape: list.shape };
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return {
    role: { kind: 'records' },
    sql: name === null ? sql : texts.keep(table, list, name, sql),
    params,
    shape: list.shape,
  };
}

/** Reports whether the change assigns another key to the record, and therefore another URL. */
export function movesRecord({ table, changes }: UpdatePlan): boolean {
  const { rowKey } = table;
  return rowKey !== null && changes.some(({ column }) => rowKey.includes(column));
}

/** Returns the cells to read after a change: the version, and the new key if the change assigns one. */
function readBackCells(plan: UpdatePlan): readonly AliasedColumn[] {
  const version = hasUpdateTag(plan) ? placedVersionColumns(plan.table) : NOTHING;
  return movesRecord(plan)
    ? [...version, ...(plan.table.rowKey ?? NOTHING).map((column) => ({ alias: '', column }))]
    : version;
}

export function deleteProgram(plan: DeletePlan, digest: DigestCells): StatementProgram {
  const statement = deleteStatement(plan);
  if (plan.conditions !== null) return guardedProgram(plan, plan.conditions, [statement], digest);
  const isRollback = plan.preferences.transaction === 'rollback';
  return {
    transaction: isRollback ? 'rollback' : 'none',
    first: { statements: [statement], isOrdered: true },
    next: () => null,
  };
}

function deleteStatement({ table, key }: DeletePlan): Statement {
  const name = nameKey(key);
  const known = name === null ? undefined : texts.find(table, DELETES, name);
  if (known !== undefined)
    return { role: { kind: 'write', row: 0 }, sql: known, params: key.map(valueOf), shape: null };
  const params: BoundValue[] = [];
  const sql = `DELETE FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return {
    role: { kind: 'write', row: 0 },
    sql: name === null ? sql : texts.keep(table, DELETES, name, sql),
    params,
    shape: null,
  };
}
