import type { Snapshot } from '@rowhouse/schema-model';
import { alterTable, quoteName } from '../sql-text.js';
import type { PlannedStep, RenameHint } from '../types.js';
import { findColumnName } from './name-state.js';
import { planExclusive } from './plan-exclusive.js';
import { columnMoves, tableMoves, type Pairing, type TablePair } from './pair-objects.js';
import { releaseConstraints } from './release-constraints.js';
import { renameColumns, renameTables, type SoftDeletedNames, type PlannedMoves } from './rename-snapshot.js';

/**
 * Plans the renames. If no name passes from one object to another, a request that fails can be repeated with
 * the other name of an object, so the renames are ordinary steps. Otherwise, one exclusive step makes all of
 * them, because a request planned with the old names would silently read or write another object.
 */
export function planMoves(
  current: Snapshot,
  target: Snapshot,
  pairing: Pairing,
  softDeletedNames: SoftDeletedNames,
): PlannedMoves {
  const created = listHints(pairing, softDeletedNames);
  const released = releaseConstraints(current, target, pairing);
  if (isNameReused(pairing, current)) {
    const exclusive = planExclusive(released.snapshot, target, pairing, softDeletedNames);
    return { ...exclusive, steps: [...released.steps, ...exclusive.steps], created };
  }
  let renamed = released.snapshot;
  const steps = [...released.steps];
  for (const pair of pairing.pairs) {
    const moves = columnMoves(pair);
    if (moves.length === 0) continue;
    steps.push(
      renameStep(
        'alter_table',
        pair.from.name,
        moves.map((move) => `RENAME COLUMN ${quoteName(move.from)} TO ${quoteName(move.to)}`),
      ),
    );
    renamed = renameColumns(renamed, pair.from.name, moves);
  }
  const tables = tableMoves(pairing);
  steps.push(
    ...tables.map((move) => renameStep('rename_table', move.from, [`RENAME TO ${quoteName(move.to)}`])),
  );
  return { steps, renamed: renameTables(renamed, tables), created };
}

/** Lists the renames. Those of columns come first, with the previous names of their tables. */
function listHints(pairing: Pairing, softDeletedNames: SoftDeletedNames): RenameHint[] {
  const columns = pairing.pairs.flatMap((pair) =>
    softDeletedNames.tables.has(pair.from.name)
      ? []
      : columnMoves(pair)
          .filter((move) => !softDeletedNames.columns.has(move.from))
          .map((move): RenameHint => ({ kind: 'column', table: pair.from.name, ...move })),
  );
  const tables = tableMoves(pairing)
    .filter((move) => !softDeletedNames.tables.has(move.from))
    .map((move): RenameHint => ({ kind: 'table', ...move }));
  return [...columns, ...tables];
}

/** Reports whether a name refers to one object now, and to another object in the target. */
function isNameReused({ pairs, created }: Pairing, current: Snapshot): boolean {
  const tables = new Set(current.tables.filter((table) => table.kind === 'table').map((table) => table.name));
  if (created.some((table) => tables.has(table.name))) return true;
  return pairs.some(
    (pair) => (pair.from.name !== pair.to.name && tables.has(pair.to.name)) || isColumnReused(pair),
  );
}

function isColumnReused({ from, to, origins }: TablePair): boolean {
  const before = new Map(from.columns.map((column) => [column.name, column]));
  return to.columns.some((column) => {
    const existing = findColumnName(before, column.name);
    return existing !== undefined && origins.get(column.name) !== existing;
  });
}

function renameStep(
  kind: 'rename_table' | 'alter_table',
  table: string,
  specs: readonly string[],
): PlannedStep {
  const sql = alterTable(table, specs) ?? '';
  return {
    kind,
    table,
    sql,
    class: 'rename',
    reversible: true,
    loss: [],
    beforePublish: sql,
    afterPublish: null,
    rowChecks: [],
    intent: { kind: 'rename' },
  };
}
