import { AppError } from '@rowhouse/errors';
import type { CompiledTable } from '@rowhouse/schema-model';
import type { Claim } from '../plan/claims.js';
import type { DeletePlan, RecordCondition, RecordConditions, UpdatePlan } from '../plan/plan.js';
import type { DigestCells } from '../response/record-tag.js';
import type { Cell, ResultSet } from '../response/result-set.js';
import { claimedColumns, findBroken, rejectBroken } from './check-claims.js';
import { keyAfter } from './key-after.js';
import { selectList, type AliasedColumn } from './select-list.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns, versionColumns } from './version-columns.js';
import { keySql } from './where.js';

/**
 * Locks the record, checks the preconditions in the order of RFC 9110, section 13.2.2, and then runs
 * `statements`. All of it is one transaction.
 */
export function guardedProgram(
  plan: UpdatePlan | DeletePlan,
  conditions: RecordConditions,
  statements: readonly Statement[],
  digest: DigestCells,
): StatementProgram {
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: [lockStatement(plan)], isOrdered: true },
    next: (results) => {
      const [locked] = results;
      if (locked === undefined || results.length > 1) return null;
      if (locked.rowCount === 0) throw new AppError('record.not_found');
      assertHold(plan.table, conditions, (index) => locked.keyCell(0, index), digest);
      return { statements, isOrdered: true };
    },
  };
}

/**
 * Guards a body that contains columns that cannot be written. The change happens if their values equal the
 * stored ones. A generated column may also have its value after the change, which is checked afterwards.
 */
export function claimedProgram(
  plan: UpdatePlan,
  statements: readonly Statement[],
  digest: DigestCells,
): StatementProgram {
  const claims = plan.claims ?? [];
  const columns = claimedColumns(claims);
  const readBackColumns = [
    ...placedVersionColumns(plan.table),
    ...columns.map((column) => ({ alias: '', column })),
  ];
  const from = versionColumns(plan.table).length;
  const brokenIn = (result: ResultSet): readonly Claim[] =>
    findBroken(claims, (column) => result.keyCell(0, from + columns.indexOf(column)));
  const check = lockStatement(plan, readBackColumns);
  const again = lockStatement({ ...plan, key: keyAfter(plan) }, readBackColumns);
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: [check], isOrdered: true },
    next(results) {
      const [locked] = results;
      const last = results.at(-1);
      if (locked === undefined || last === undefined) return null;
      const broken = brokenIn(locked);
      if (results.length === 1) {
        if (locked.rowCount === 0) throw new AppError('record.not_found');
        if (plan.conditions !== null)
          assertHold(plan.table, plan.conditions, (index) => locked.keyCell(0, index), digest);
        rejectBroken(broken.filter(({ column }) => column.generated === null));
        return { statements, isOrdered: true };
      }
      if (broken.length === 0) return null;
      if (last.statement !== again) return { statements: [again], isOrdered: true };
      const stillBroken = last.rowCount === 0 ? broken : brokenIn(last);
      rejectBroken(broken.filter((claim) => stillBroken.includes(claim)));
      return null;
    },
  };
}

const NOTHING: readonly never[] = Object.freeze([]);

function lockStatement(
  plan: UpdatePlan | DeletePlan,
  readBackColumns: readonly AliasedColumn[] = placedVersionColumns(plan.table),
): Statement {
  const list = selectList(NOTHING, '', readBackColumns);
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(plan.key, params)} FOR UPDATE`;
  return { role: { kind: 'lock' }, sql, params, shape: list.shape };
}

/**
 * Checks the preconditions against the stored record.
 *
 * @param cellOf returns the record's cell at an index of `versionColumns`
 * @throws AppError `record.stale` or `record.precondition_failed`
 */
export function assertHold(
  table: CompiledTable,
  { ifMatch, ifNoneMatch }: RecordConditions,
  cellOf: (index: number) => Cell,
  digest: DigestCells,
): void {
  if (ifMatch !== null && !matches(table, ifMatch, cellOf, digest))
    throw new AppError('record.stale', {
      hint: 'Read the record again and repeat the write with its new ETag.',
    });
  if (ifNoneMatch === null || !matches(table, ifNoneMatch, cellOf, digest)) return;
  throw new AppError('record.precondition_failed', {
    detail:
      ifNoneMatch.kind === 'any'
        ? 'The record exists, and If-None-Match: * asks that it does not.'
        : 'The record still is a version that If-None-Match names.',
    hint: 'Nothing was changed. Send the write without If-None-Match if the record may be there.',
  });
}

function matches(
  table: CompiledTable,
  condition: RecordCondition,
  cellOf: (index: number) => Cell,
  digest: DigestCells,
): boolean {
  if (condition.kind === 'any') return true;
  const all = versionColumns(table);
  return condition.versions.some(
    ({ columns, digest: requested }) =>
      digest(columns.map((column) => cellOf(all.indexOf(column)))) === requested,
  );
}
