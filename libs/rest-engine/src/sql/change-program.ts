import type { Assignment, DeletePlan, UpdatePlan } from '../plan/plan.js';
import type { DigestCells } from '../response/record-tag.js';
import { claimedProgram, guardedProgram } from './guarded-program.js';
import { keyAfter } from './key-after.js';
import { allowOn } from './odd-days.js';
import { comparePlaceholder, writePlaceholder } from './placeholder.js';
import { selectList, type PlacedColumn } from './select-list.js';
import { createStatementTexts } from './statement-texts.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns } from './version-columns.js';
import { keySql, nameKey } from './where.js';

const texts = createStatementTexts();
/** What texts are of, beside the lists that records are read back by. */
const UPDATES = {};
const DELETES = {};

/**
 * The change and the reading back travel together; what is read is the record as it is after the change. A version that
 * comes without the record must be that of this change and of no later one: then both stand in one transaction.
 */
export function updateProgram(plan: UpdatePlan, digest: DigestCells): StatementProgram {
  const statements: Statement[] = [];
  if (plan.changes.length > 0) statements.push(plan.hasOddDays === true ? allowOn(updateStatement(plan), plan.table.schema.engine) : updateStatement(plan));
  if (hasUpdateTag(plan) || plan.changes.length === 0 || movesRecord(plan)) statements.push(readStatement(plan));
  if (plan.claims !== undefined) return claimedProgram(plan, statements, digest);
  if (plan.conditions !== null) return guardedProgram(plan, plan.conditions, statements, digest);
  const isRollback = plan.preferences.transaction === 'rollback';
  const isBound = plan.answer === null && statements.length > 1;
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
  if (known !== undefined) return { role: { kind: 'write', row: 0 }, sql: known, params: [...plan.changes.map(valueOf), ...plan.key.map(valueOf)], shape: null };
  const params: BoundValue[] = [];
  const changes = plan.changes.map((change) => assignmentSql(change, params)).join(', ');
  const sql = `UPDATE ${table.quoted} SET ${changes} WHERE ${keySql(plan.key, params)}`;
  return { role: { kind: 'write', row: 0 }, sql: name === null ? sql : texts.keep(table, UPDATES, name, sql), params, shape: null };
}

/** By the columns that it sets and those of its key; null where a value has a part in its text. */
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
  // A text added to an integer would make a double of the sum.
  const operand = column.valueKind === 'integer' ? 'CAST(? AS SIGNED)' : comparePlaceholder(column, value);
  // NULL counts as 0, as in a record that an upsert creates.
  return `${column.quoted} = ${column.nullable ? `COALESCE(${column.quoted}, 0)` : column.quoted} + ${operand}`;
}

/** For keys that may read: they may also name the version in `If-Match`. */
export function hasUpdateTag(plan: UpdatePlan): boolean {
  return plan.answer !== null || plan.table.verbs.includes('read');
}

const NOTHING: readonly never[] = Object.freeze([]);

function readStatement(plan: UpdatePlan): Statement {
  const { table } = plan;
  const list = selectList(plan.answer ?? NOTHING, '', keptCells(plan));
  const key = keyAfter(plan);
  const name = nameKey(key);
  const known = name === null ? undefined : texts.find(table, list, name);
  if (known !== undefined) return { role: { kind: 'records' }, sql: known, params: key.map(valueOf), shape: list.shape };
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return { role: { kind: 'records' }, sql: name === null ? sql : texts.keep(table, list, name, sql), params, shape: list.shape };
}

/** Whether the change gives the record another key, and with it another address. */
export function movesRecord({ table, changes }: UpdatePlan): boolean {
  const { rowKey } = table;
  return rowKey !== null && changes.some(({ column }) => rowKey.includes(column));
}

/** The version, and behind it the key of a record that was moved. */
function keptCells(plan: UpdatePlan): readonly PlacedColumn[] {
  const version = hasUpdateTag(plan) ? placedVersionColumns(plan.table) : NOTHING;
  return movesRecord(plan) ? [...version, ...(plan.table.rowKey ?? NOTHING).map((column) => ({ alias: '', column }))] : version;
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
  if (known !== undefined) return { role: { kind: 'write', row: 0 }, sql: known, params: key.map(valueOf), shape: null };
  const params: BoundValue[] = [];
  const sql = `DELETE FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return { role: { kind: 'write', row: 0 }, sql: name === null ? sql : texts.keep(table, DELETES, name, sql), params, shape: null };
}
