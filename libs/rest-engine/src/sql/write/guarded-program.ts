import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Claim } from '../../plan/write/claims.js';
import type { RecordCondition, RecordConditions } from '../../plan/plan-parts.js';
import type { DeletePlan, UpdatePlan } from '../../plan/plan.js';
import { selectList, type AliasedColumn } from '../read/select-list.js';
import type { Statement, StatementProgram, ResultSet } from '../statement.js';
import { placedVersionColumns } from '../version-columns.js';
import { keySql } from '../condition/where.js';
import { isSameJson } from '../../plan/write/claims.js';
import { parseJson } from '../../request/parse-json.js';
import { makeValueWriter } from '../value-writer.js';
import type { BoundValue, Cell, DigestCells } from '../../values/cell.js';
import { versionColumns } from '../../plan/version-columns.js';

/**
 * Returns a program that locks the record, checks the preconditions in the order of RFC 9110, section 13.2.2,
 * and then runs `statements`. All of this happens in one transaction.
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
 * Returns a program for an update whose body contains columns that cannot be written. The update runs only if
 * these values equal the stored ones. For a generated column, the value may also be the one after the change,
 * which is checked afterwards.
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
 * Checks `If-Match` and `If-None-Match` against the stored record.
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
        ? 'The record exists, but If-None-Match: * requires that it does not.'
        : 'The record has a version that If-None-Match excludes.',
    hint: 'Nothing was changed. If the record may exist, send the write without If-None-Match.',
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

/** Returns the record's key after the change, which may assign another key. */
export function keyAfter({ key, changes }: UpdatePlan): UpdatePlan['key'] {
  return key.map((part) => {
    const change = changes.find((candidate) => candidate.column === part.column);
    return change === undefined ? part : { column: part.column, value: change.value };
  });
}

/** Returns the distinct columns of the claims. Their stored values are compared with the claimed values. */
export function claimedColumns(claims: Iterable<Claim>): readonly CompiledColumn[] {
  return [...new Set([...claims].map(({ column }) => column))];
}

/** Returns the claims that differ from the stored values. */
export function findBroken(
  claims: readonly Claim[],
  cellOf: (column: CompiledColumn) => Cell,
): readonly Claim[] {
  return claims.filter(({ column, value }) => {
    const cell = cellOf(column);
    if (cell === null) return value !== null;
    const stored = makeValueWriter(
      { name: column.name, kind: column.valueKind, isOutput: true, column },
      'json',
    )(cell);
    return !isSameJson(parseJson(stored), value);
  });
}

/** Throws 422 if there are claims that differ from the stored values. */
export function rejectBroken(claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  const hints = claims.flatMap(({ fault }) => fault.hint ?? []);
  const faults = claims.map(({ fault }) => faultAt([...fault.loc], fault.msg, fault.type));
  throw hints[0] === undefined
    ? validationError('body.invalid', faults)
    : validationError('body.invalid', faults, hints[0]);
}
