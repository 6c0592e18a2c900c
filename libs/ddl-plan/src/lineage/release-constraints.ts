import type {
  CheckConstraint,
  Column,
  EngineKind,
  ForeignKey,
  Snapshot,
  Table,
} from '@rowhouse/schema-model';
import { plainStep } from '../diff/alter-step.js';
import { modifySpec } from '../diff/column-specs.js';
import { dropKeysStep, splitConstraints } from '../diff/diff-constraints.js';
import { withoutCheck } from '../diff/drop-columns.js';
import { alterTable, quoteName } from '../sql-text.js';
import type { PlannedStep } from '../types.js';
import { columnMoves, tableMoves, type Pairing, type TablePair } from './pair-objects.js';
import { renameColumns, renameTables } from './rename-snapshot.js';

/**
 * Drops the constraints that prevent renames: foreign keys that the target does not contain, and checks on
 * renamed columns. Constraints of the target are added again after the renames.
 */
export function releaseConstraints(
  current: Snapshot,
  target: Snapshot,
  pairing: Pairing,
): { steps: PlannedStep[]; snapshot: Snapshot } {
  const touched = new Set(
    pairing.pairs
      .filter((pair) => pair.from.name !== pair.to.name || columnMoves(pair).length > 0)
      .map((pair) => pair.from.name),
  );
  if (touched.size === 0) return { steps: [], snapshot: current };
  const removed = findRemoved(current, target, pairing);
  const pairs = new Map(pairing.pairs.map((pair) => [pair.from.name, pair]));
  const keySteps: PlannedStep[] = [];
  const checkSteps: PlannedStep[] = [];
  const tables = current.tables.map((table) => {
    const pair = table.kind === 'table' ? pairs.get(table.name) : undefined;
    if (pair === undefined) return table;
    const keys = table.foreignKeys.filter(
      (key) => removed.has(key) && (touched.has(table.name) || touched.has(key.referencedTable)),
    );
    keySteps.push(...dropKeysStep(table.name, keys));
    const freed = freeChecks(
      { ...table, foreignKeys: table.foreignKeys.filter((key) => !keys.includes(key)) },
      pair,
      removed,
      current.engine,
    );
    checkSteps.push(...freed.steps);
    return freed.table;
  });
  return { steps: [...keySteps, ...checkSteps], snapshot: { ...current, tables } };
}

/**
 * Returns the deployed constraints that the target does not contain. For the comparison, they are written
 * with the names of tables and columns in the target.
 */
function findRemoved(
  current: Snapshot,
  target: Snapshot,
  { pairs }: Pairing,
): ReadonlySet<ForeignKey | CheckConstraint> {
  const existing = pairs.map(
    (pair) =>
      current.tables.find((table) => table.name === pair.from.name && table.kind === 'table') ?? pair.from,
  );
  const before: Snapshot = { ...current, tables: existing };
  const moved = pairs.reduce(
    (snapshot, pair) => renameColumns(snapshot, pair.from.name, columnMoves(pair)),
    before,
  );
  const renamed = renameTables(moved, tableMoves({ pairs }));
  return new Set(
    existing.flatMap((table, index): (ForeignKey | CheckConstraint)[] => {
      const [after, to] = [renamed.tables[index] as Table, pairs[index]?.to as Table];
      const { goneKeys, goneChecks } = splitConstraints(after, to);
      return [
        ...table.foreignKeys.filter((_, position) =>
          goneKeys.includes(after.foreignKeys[position] as ForeignKey),
        ),
        ...table.checks.filter((_, position) =>
          goneChecks.includes(after.checks[position] as CheckConstraint),
        ),
      ];
    }),
  );
}

/**
 * Drops checks on renamed columns where the server requires it. MySQL cannot rename a column that a check
 * uses. MariaDB renames columns in checks one clause at a time, so that a check would refer to the wrong
 * column if the statement uses a name twice.
 */
function freeChecks(
  table: Table,
  pair: TablePair,
  removed: ReadonlySet<unknown>,
  engine: EngineKind,
): { steps: PlannedStep[]; table: Table } {
  const moves = columnMoves(pair);
  const before = new Set(table.columns.map((column) => column.name.toLowerCase()));
  const isReused = moves.some(
    (move) => before.has(move.to.toLowerCase()) && move.to.toLowerCase() !== move.from.toLowerCase(),
  );
  const mentionsRenamed = (text: string): boolean =>
    moves.some((move) => text.toLowerCase().includes(quoteName(move.from).toLowerCase()));
  const isFreed = (check: CheckConstraint): boolean =>
    mentionsRenamed(check.clause) && (removed.has(check) || isReused || engine === 'mysql');
  const checks = table.checks.filter((check) => check.definition !== '' && isFreed(check));
  const opened = table.columns.flatMap((column): Column[] => {
    const definition = withoutCheck(column.definition);
    const isOpened =
      isReused &&
      column.generated === null &&
      definition !== column.definition &&
      mentionsRenamed(column.definition.slice(definition.length));
    return isOpened ? [{ ...column, definition }] : [];
  });
  const sql = alterTable(table.name, [
    ...checks.map((check) => `DROP CONSTRAINT ${quoteName(check.name)}`),
    ...opened.map(modifySpec),
  ]);
  if (sql === null) return { steps: [], table };
  const openedOf = new Map(opened.map((column) => [column.name, column]));
  return {
    steps: [plainStep('alter_table', table.name, 'widen', sql)],
    table: {
      ...table,
      columns: table.columns.map((column) => openedOf.get(column.name) ?? column),
      checks: table.checks.filter(
        (check) => !checks.includes(check) && !(check.definition === '' && openedOf.has(check.name)),
      ),
    },
  };
}
