import { AppError, defect } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type {
  NestedAttach,
  NestedChange,
  NestedCreatePlan,
  NestedFill,
  NestedInsert,
  NestedLookUp,
  NestedRemove,
  NestedStep,
  NestedUpdatePlan,
} from '../../plan/write/nested/nested-plan.js';
import type { Assignment, KeyPart, RowValues } from '../../plan/plan-parts.js';
import { assignmentSql } from './change-program.js';
import { assertHold } from './guarded-program.js';
import { neededColumns } from '../read/include-keys.js';
import { nextIncludeRound } from '../read/include-rounds.js';
import { insertPart } from './insert-part.js';
import { writePlaceholder } from '../placeholder.js';
import { nextOfParts, type MakePart, type ProgramPart } from '../program-parts.js';
import { selectList, type AliasedColumn, type SelectList } from '../read/select-list.js';
import type { Statement, StatementProgram, StatementRound, ResultSet } from '../statement.js';
import { placedVersionColumns } from '../version-columns.js';
import { keySql } from '../condition/where.js';
import { type BoundValue, type Cell, type DigestCells, bitsToText } from '../../values/cell.js';

type NestedPlan = NestedCreatePlan | NestedUpdatePlan;

/** Steps of one kind on one table that can run together, because all their inputs are available. */
interface Group {
  readonly kind: NestedStep['kind'];
  readonly table: CompiledTable;
  readonly steps: readonly number[];
  /** The columns that other steps take from the rows of this group. Null if other steps take none. */
  readonly list: SelectList | null;
  readonly needed: readonly CompiledColumn[];
  /** Whether the group finds the record that the request changes. */
  readonly isRoot: boolean;
}

/** The groups in execution order, with the position of each step in its group. */
interface Layout {
  readonly plan: NestedPlan;
  readonly groups: readonly Group[];
  readonly positions: readonly { readonly part: number; readonly row: number }[];
}

type Done = readonly (readonly ResultSet[])[];

/**
 * Returns the program of a nested write. The steps run in waves, beginning with those that depend on no other
 * step. At the end, the records are read back with their related records.
 */
export function nestedProgram(
  plan: NestedPlan,
  hasReturning: boolean,
  digest: DigestCells,
): StatementProgram {
  const layout = layOut(plan);
  const parts: MakePart[] = layout.groups.map(
    (group) => (done) => groupPart({ layout, digest }, group, done, hasReturning),
  );
  if (plan.table.rowKey !== null) parts.push((done) => readPart(layout, done));
  const first = nextOfParts(parts, []);
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: first ?? { statements: [], isOrdered: true },
    next: (results) => nextOfParts(parts, results),
  };
}

function layOut(plan: NestedPlan): Layout {
  const groups = groupSteps(plan);
  const positions: { part: number; row: number }[] = [];
  groups.forEach((group, part) =>
    group.steps.forEach((index, row) => void (positions[index] = { part, row })),
  );
  return { plan, groups, positions };
}

function groupSteps(plan: NestedPlan): readonly Group[] {
  const needs = collectNeeds(plan);
  const waves: number[] = [];
  const groups = new Map<
    string,
    { wave: number; kind: NestedStep['kind']; table: CompiledTable; steps: number[] }
  >();
  plan.steps.forEach((step, index) => {
    const wave = Math.max(0, ...listNeeded(step).map((needed) => (waves[needed] ?? 0) + 1));
    waves.push(wave);
    const isRoot = plan.kind === 'update_nested' && index === plan.roots[0];
    const key = `${wave} ${step.kind} ${step.table.name}${isRoot ? ' root' : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { wave, kind: step.kind, table: step.table, steps: [index] });
    else group.steps.push(index);
  });
  return [...groups.values()]
    .sort((a, b) => a.wave - b.wave)
    .map(({ kind, table, steps }) => {
      const needed = [...new Set(steps.flatMap((index) => [...(needs.get(index) ?? [])]))];
      const isRoot = plan.kind === 'update_nested' && steps[0] === plan.roots[0];
      const readBackColumns = isRoot
        ? [...needed.map(place), ...placedVersionColumns(table)]
        : needed.map(place);
      return {
        kind,
        table,
        steps,
        needed,
        isRoot,
        list: readBackColumns.length === 0 ? null : selectList([], '', readBackColumns),
      };
    });
}

/** Returns a step's columns whose values come from the rows of other steps. */
function listTaken(step: NestedStep): readonly NestedFill[] {
  const fills = 'fills' in step ? step.fills : NO_FILLS;
  return 'match' in step && step.match !== undefined ? [...fills, ...step.match] : fills;
}

const NO_FILLS: readonly NestedFill[] = Object.freeze([]);

/** Returns the indexes of steps that must run before this step. */
function listNeeded(step: NestedStep): readonly number[] {
  const takenCount = listTaken(step).map((fill) => fill.from);
  return 'after' in step && step.after !== undefined ? [...takenCount, ...step.after] : takenCount;
}

/**
 * Returns the columns of each step's row that other steps or the final read need, but that the step's own
 * values do not contain.
 */
function collectNeeds({ steps, roots, table }: NestedPlan): ReadonlyMap<number, ReadonlySet<CompiledColumn>> {
  const needs = new Map<number, Set<CompiledColumn>>();
  const need = (index: number, column: CompiledColumn): void => {
    const step = steps[index];
    if (step === undefined || isReported(step, column)) return;
    needs.set(index, (needs.get(index) ?? new Set()).add(column));
  };
  for (const step of steps) for (const fill of listTaken(step)) need(fill.from, fill.source);
  for (const root of roots) for (const column of table.rowKey ?? []) need(root, column);
  return needs;
}

function isReported(step: NestedStep, column: CompiledColumn): boolean {
  return (
    step.kind === 'insert' &&
    (step.values.some((entry) => entry.column === column) ||
      step.fills.some((fill) => fill.column === column))
  );
}

function place(column: CompiledColumn): AliasedColumn {
  return { alias: '', column };
}

function groupPart(
  { layout, digest }: { readonly layout: Layout; readonly digest: DigestCells },
  group: Group,
  done: Done,
  hasReturning: boolean,
): ProgramPart {
  const valueOf = (fill: NestedFill): BoundValue => findValue(layout, done, fill.from, fill.source);
  const steps = group.steps.map((index) => layout.plan.steps[index]);
  switch (group.kind) {
    case 'insert': {
      const rows = steps.filter((step) => step?.kind === 'insert').map((step) => fillRow(step, valueOf));
      return about(
        group.table,
        steps,
        insertPart({ table: group.table, rows, list: group.list, role: 'written', hasReturning }),
      );
    }
    case 'attach': {
      const attaches = steps.filter((step) => step?.kind === 'attach');
      return checked(
        { statements: attaches.map((step) => attachStatement(step, valueOf)), isOrdered: true },
        attaches,
        (result) => result.affectedRows,
      );
    }
    case 'look_up': {
      const looks = steps.filter((step) => step?.kind === 'look_up');
      const round = { statements: looks.map((step) => pollStatement(step, group, valueOf)), isOrdered: true };
      return group.isRoot
        ? rootPart(layout.plan, round, group.needed.length, digest)
        : checked(round, looks, (result) => result.rowCount);
    }
    case 'change': {
      const changes = steps.filter((step) => step?.kind === 'change');
      return checked(
        { statements: changes.map((step) => changeStatement(step, valueOf)), isOrdered: true },
        changes,
        (result) => result.affectedRows,
      );
    }
    case 'remove': {
      const removes = steps.filter((step) => step?.kind === 'remove');
      return checked(
        { statements: removes.map((step) => removeStatement(step, valueOf)), isOrdered: true },
        removes,
        (result) => result.affectedRows,
      );
    }
  }
}

/** Adds a table, and locations in the body, to a part's statements. Their errors report both. */
function about(
  table: CompiledTable,
  steps: readonly (NestedStep | undefined)[],
  part: ProgramPart,
): ProgramPart {
  const locs = steps.map((step) => step?.loc ?? []);
  const mark = (round: StatementRound | null): StatementRound | null =>
    round === null
      ? null
      : { ...round, statements: round.statements.map((statement) => ({ ...statement, table, locs })) };
  return { first: mark(part.first) ?? part.first, next: (results) => mark(part.next(results)) };
}

/**
 * Returns a part that runs one statement for each step. It throws `record.foreign_key` if a step does not
 * find its record.
 */
function checked(
  round: StatementRound,
  steps: readonly NestedStep[],
  count: (result: ResultSet) => number,
): ProgramPart {
  return {
    first: round,
    next(results) {
      const missing = results.findIndex((result) => count(result) === 0);
      const step = steps[missing];
      if (step === undefined) return null;
      const isMatched = 'match' in step && (step.match?.length ?? 0) > 0;
      throw new AppError('record.foreign_key', {
        detail: `There is no record of ${step.table.name} ${isMatched ? `that belongs to this one, for ${step.loc.join('.')}` : `with the key at ${step.loc.join('.')}`}.`,
        extra: { table: step.table.name, columns: (step.table.rowKey ?? []).map((column) => column.name) },
      });
    },
  };
}

function fillRow(step: NestedInsert, valueOf: (fill: NestedFill) => BoundValue): RowValues {
  const filled = step.fills.map((fill) => ({ column: fill.column, value: valueOf(fill) }));
  return [...step.values, ...filled].sort((a, b) => a.column.position - b.column.position);
}

function attachStatement(step: NestedAttach, valueOf: (fill: NestedFill) => BoundValue): Statement {
  const params = step.fills.map(valueOf);
  const changes = step.fills.map(({ column }) => `${column.quoted} = ${writePlaceholder(column)}`).join(', ');
  const sql = `UPDATE ${step.table.quoted} SET ${changes} WHERE ${keySql(step.key, params)}`;
  return { role: { kind: 'write', row: 0 }, sql, params, shape: null, table: step.table, locs: [step.loc] };
}

function pollStatement(step: NestedLookUp, { list: requested, isRoot }: Group, valueOf: ValueOf): Statement {
  const list = requested ?? selectList([], '', []);
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${step.table.quoted} WHERE ${foundSql(step, valueOf, params)}${isRoot ? ' FOR UPDATE' : ''}`;
  return { role: { kind: 'written' }, sql, params, shape: list.shape, table: step.table };
}

/**
 * Returns a part that finds the record to change. It throws if the record does not exist or does not match
 * the preconditions.
 */
function rootPart(plan: NestedPlan, round: StatementRound, from: number, digest: DigestCells): ProgramPart {
  return {
    first: round,
    next([locked]) {
      if (locked === undefined || locked.rowCount === 0) throw new AppError('record.not_found');
      const conditions = plan.kind === 'update_nested' ? plan.conditions : null;
      if (conditions !== null)
        assertHold(plan.table, conditions, (index) => locked.keyCell(0, from + index), digest);
      return null;
    },
  };
}

type ValueOf = (fill: NestedFill) => BoundValue;

/**
 * Returns the SQL condition that finds a record by its known key and by values from the rows of other steps.
 */
function foundSql(
  step: NestedLookUp | NestedChange | NestedRemove,
  valueOf: ValueOf,
  params: BoundValue[],
): string {
  return keySql(
    [
      ...step.key,
      ...(step.match ?? []).map((fill): KeyPart => ({ column: fill.column, value: valueOf(fill) })),
    ],
    params,
  );
}

function changeStatement(step: NestedChange, valueOf: ValueOf): Statement {
  const params: BoundValue[] = [];
  const filled = step.fills.map((fill): Assignment => ({
    kind: 'set',
    column: fill.column,
    value: valueOf(fill),
  }));
  const changes = [...step.changes, ...filled].map((change) => assignmentSql(change, params)).join(', ');
  const sql = `UPDATE ${step.table.quoted} SET ${changes} WHERE ${foundSql(step, valueOf, params)}`;
  return { role: { kind: 'write', row: 0 }, sql, params, shape: null, table: step.table, locs: [step.loc] };
}

function removeStatement(step: NestedRemove, valueOf: ValueOf): Statement {
  const params: BoundValue[] = [];
  const sql = `DELETE FROM ${step.table.quoted} WHERE ${foundSql(step, valueOf, params)}`;
  return { role: { kind: 'write', row: 0 }, sql, params, shape: null, table: step.table, locs: [step.loc] };
}

/**
 * Returns the value of a column in a step's row. The client sent it, the server assigned it, or it was taken
 * from another row.
 */
function findValue(layout: Layout, done: Done, index: number, column: CompiledColumn): BoundValue {
  const step = layout.plan.steps[index];
  if (step?.kind === 'insert') {
    const provided = step.values.find((entry) => entry.column === column);
    if (provided !== undefined) return provided.value;
    const fill = step.fills.find((candidate) => candidate.column === column);
    if (fill !== undefined) return findValue(layout, done, fill.from, fill.source);
  }
  const { part, row } = layout.positions[index] ?? { part: -1, row: -1 };
  const group = layout.groups[part];
  if (group === undefined) defect('a step of a nested create without a group');
  return toBound(findCell(done[part] ?? [], row, group.needed.indexOf(column)), column);
}

/** Returns a cell of the row at index `row`, counted over all results. */
function findCell(results: readonly ResultSet[], row: number, key: number): Cell {
  let before = 0;
  for (const result of results) {
    if (result.statement.role.kind !== 'written') continue;
    if (row < before + result.rowCount) return result.keyCell(row - before, key);
    before += result.rowCount;
  }
  return defect('a nested create did not return a row');
}

function toBound(cell: Cell, column: CompiledColumn): BoundValue {
  if (cell instanceof Uint8Array) return column.type === 'bit' ? bitsToText(cell) : cell;
  return cell === null ? null : String(cell);
}

/**
 * Reports whether the response has an ETag. Only a single record has one, and only if the API key has the
 * right to read.
 */
export function hasNestedTag(plan: NestedPlan): boolean {
  return !plan.isBulk && plan.table.verbs.includes('read');
}

/**
 * Returns a part that reads the records back. It selects the columns that the includes need, followed by the
 * record's key and its version.
 */
function readPart(layout: Layout, done: Done): ProgramPart {
  const { plan } = layout;
  const rowKey = plan.table.rowKey ?? [];
  const keys = [...neededColumns(plan.include), ...rowKey].map(place);
  const list = selectList(
    plan.returned ?? rowKey,
    '',
    hasNestedTag(plan) ? [...keys, ...placedVersionColumns(plan.table)] : keys,
  );
  const statements = plan.roots.map((root): Statement => {
    const key = rowKey.map((column): KeyPart => ({ column, value: findValue(layout, done, root, column) }));
    const params: BoundValue[] = [];
    const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(key, params)}`;
    return { role: { kind: 'records' }, sql, params, shape: list.shape };
  });
  return {
    first: { statements, isOrdered: true },
    next: (results) => nextIncludeRound(plan.include, 1, results),
  };
}
