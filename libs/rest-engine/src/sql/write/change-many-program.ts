import { AppError } from '@rowhouse/errors';
import type { CompiledColumn } from '@rowhouse/schema-model';
import type { ChangeManyPlan, DeleteManyPlan, UpdateManyPlan } from '../../plan/plan.js';
import { assignmentSql } from './change-program.js';
import { parentsSql } from '../read/include-statements.js';
import { allowOn } from '../program-parts.js';
import { selectList, type AliasedColumn, type SelectList } from '../read/select-list.js';
import type { BoundValue, Cell } from '../../values/cell.js';
import type { Statement, StatementProgram, ResultSet } from '../statement.js';
import { whereSql } from '../condition/where.js';

const KEYS_PER_STATEMENT = 512;

/**
 * Returns the statements of a write by filter. The first statement finds and locks the records, and reads at
 * most one more than the limit. The next statements change the records by their keys. The filters are
 * evaluated only once, so the change cannot affect which records match.
 */
export function changeManyProgram(plan: UpdateManyPlan | DeleteManyPlan): StatementProgram {
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: [lockStatement(plan)], isOrdered: true },
    next: (results) => {
      const [locked] = results;
      if (locked === undefined || results.length > 1 || locked.rowCount === 0) return null;
      if (locked.rowCount > plan.maxAffected) throw tooMany(plan);
      return {
        statements:
          plan.table.rowKey === null ? [changeByFilter(plan)] : changeByKeys(plan, plan.table.rowKey, locked),
        isOrdered: true,
      };
    },
  };
}

function tooMany(plan: ChangeManyPlan): AppError {
  return new AppError('record.max_affected', {
    detail: `More than ${plan.maxAffected} records of ${plan.table.name} match. Nothing was changed.`,
    hint: 'Narrow the filters, or allow more with Prefer: max-affected=1000. The maximum is 10,000.',
    extra: { max_affected: plan.maxAffected },
  });
}

/**
 * Returns the statement that locks the records. For a delete, it also reads the records that the response
 * shows.
 */
function lockStatement(plan: UpdateManyPlan | DeleteManyPlan): Statement {
  const list = listOf(plan, plan.kind === 'delete_many');
  const params: BoundValue[] = [];
  const where = whereSql(plan.where, '', params);
  return {
    role: { kind: 'lock' },
    sql: `SELECT ${list.text} FROM ${plan.table.quoted}${where} LIMIT ? FOR UPDATE`,
    params: [...params, String(plan.maxAffected + 1)],
    shape: list.shape,
  };
}

const NOTHING: readonly CompiledColumn[] = Object.freeze([]);

function listOf(plan: ChangeManyPlan, isShown: boolean): SelectList {
  return selectList(
    (isShown ? plan.returned : null) ?? NOTHING,
    '',
    (plan.table.rowKey ?? NOTHING).map(place),
  );
}

function place(column: CompiledColumn): AliasedColumn {
  return { alias: '', column };
}

function changeByKeys(
  plan: UpdateManyPlan | DeleteManyPlan,
  rowKey: readonly CompiledColumn[],
  locked: ResultSet,
): Statement[] {
  const keys: Cell[][] = Array.from({ length: locked.rowCount }, (_, row) =>
    rowKey.map((_column, index) => locked.keyCell(row, index)),
  );
  const chunks = Array.from({ length: Math.ceil(keys.length / KEYS_PER_STATEMENT) }, (_, index) =>
    keys.slice(index * KEYS_PER_STATEMENT, (index + 1) * KEYS_PER_STATEMENT),
  );
  const placed = rowKey.map(place);
  const writes = chunks.map((chunk) => {
    const params: BoundValue[] = [];
    const head = headSql(plan, params);
    return toWrite(plan, `${head} WHERE ${parentsSql(placed, chunk, params)}`, params);
  });
  if (plan.returned === null || plan.kind === 'delete_many') return writes;
  const list = listOf(plan, true);
  const order = rowKey.map((column) => column.quoted).join(', ');
  const reads = chunks
    .map((chunk) => moveKeys(plan, rowKey, chunk))
    .map((chunk): Statement => {
      const params: BoundValue[] = [];
      const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${parentsSql(placed, chunk, params)} ORDER BY ${order}`;
      return { role: { kind: 'records' }, sql, params, shape: list.shape };
    });
  return [...writes, ...reads];
}

/**
 * Returns the keys of the changed records. The keys are different from before if the change assigns key
 * columns.
 */
function moveKeys(
  plan: UpdateManyPlan | DeleteManyPlan,
  rowKey: readonly CompiledColumn[],
  keys: readonly Cell[][],
): readonly Cell[][] {
  const changes = plan.kind === 'update_many' ? plan.changes : [];
  const values = rowKey.map((column) => changes.find((change) => change.column === column));
  return values.every((change) => change === undefined)
    ? keys
    : keys.map((key) => key.map((cell, index) => values[index]?.value ?? cell));
}

/**
 * Returns the statement that changes the records of a table without a key. It repeats the filters, because
 * the locked rows cannot be addressed by key.
 */
function changeByFilter(plan: UpdateManyPlan | DeleteManyPlan): Statement {
  const params: BoundValue[] = [];
  const head = headSql(plan, params);
  return toWrite(plan, head + whereSql(plan.where, '', params), params);
}

function headSql(plan: UpdateManyPlan | DeleteManyPlan, params: BoundValue[]): string {
  if (plan.kind === 'delete_many') return `DELETE FROM ${plan.table.quoted}`;
  return `UPDATE ${plan.table.quoted} SET ${plan.changes.map((change) => assignmentSql(change, params)).join(', ')}`;
}

function toWrite(
  { hasZeroDate, table }: ChangeManyPlan,
  sql: string,
  params: readonly BoundValue[],
): Statement {
  const statement: Statement = { role: { kind: 'write', row: 0 }, sql, params, shape: null };
  return hasZeroDate === true ? allowOn(statement, table.schema.engine) : statement;
}
