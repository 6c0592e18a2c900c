import type { Column, EngineKind, Index, Snapshot, Table } from '@rowhouse/schema-model';
import { placeColumn } from '../column-order.js';
import { isRequired } from '../column-specs.js';
import { softDeletedDefinition } from '../drop-columns.js';
import { quoteName } from '../sql-text.js';
import { withTemporaryDefault } from '../temporary-default.js';
import type { ExclusiveAlter } from '../types.js';
import { columnMoves, type TablePair } from './pair-objects.js';
import type { SoftDeletedNames } from './plan-moves.js';
import { renameColumns } from './rename-snapshot.js';
import { findColumn } from './name-state.js';

/**
 * Changes the columns of one table by one ALTER, in which every name has its meaning from before the
 * statement. A second ALTER adds new columns, because MariaDB gives a new column the keys of the column that
 * had its name until the same statement. Servers run both without touching rows unless the primary key
 * changes.
 *
 * @param snapshot the schema in which the table already has its new name
 * @param replaced columns that are set aside because another one takes their name
 */
export function alterExclusively(
  snapshot: Snapshot,
  pair: TablePair,
  replaced: ReadonlySet<string>,
  softDeletedNames: SoftDeletedNames,
  engine: EngineKind,
): { alters: ExclusiveAlter[]; snapshot: Snapshot } {
  const table = tableOf(snapshot, pair.to.name);
  const renames = columnMoves(pair);
  const removed = table.columns.filter((column) => replaced.has(column.name));
  // A column that is generated from a replaced column has another expression in the target.
  const computed = table.columns.filter(
    (column) =>
      column.generated !== null &&
      !replaced.has(column.name) &&
      removed.some((base) => column.definition.includes(quoteName(base.name))),
  );
  const primary = table.indexes.find((index) => index.name === 'PRIMARY');
  const isKeyGone = primary?.columns.some((part) => replaced.has(part.name ?? '')) === true;
  const nextKey = isKeyGone ? pair.to.indexes.find((index) => index.name === 'PRIMARY') : undefined;

  const dropped = new Set([...removed, ...computed].map((column) => column.name));
  const restoredNames = new Set(
    renames.filter((move) => softDeletedNames.columns.has(move.from)).map((move) => move.from),
  );
  const plain = renames.filter((move) => !restoredNames.has(move.from) && !dropped.has(move.from));
  const existing = table.columns.filter(
    (column) => !dropped.has(column.name) && !restoredNames.has(column.name),
  );
  const moved = renameColumns(withTable(snapshot, { ...table, columns: existing }), table.name, plain);
  const renamed = tableOf(moved, table.name);
  const present = renamed.columns.map((column) => column.name);
  const added = new Map<string, Column>();
  const location = (column: Column): string =>
    placeColumn(
      present,
      pair.to.columns.map((entry) => entry.name),
      column.name,
    );
  const define = (column: Column): Column =>
    isRequired(column) && nextKey?.columns.some((part) => part.name === column.name) !== true
      ? {
          ...column,
          default: { kind: 'literal', text: '' },
          definition: withTemporaryDefault(column, engine),
        }
      : column;

  const restored = renames
    .filter((move) => restoredNames.has(move.from))
    .flatMap((move) => {
      const column = pair.to.columns.find((entry) => entry.name === move.to);
      if (column === undefined) return [];
      const open = define(column);
      added.set(move.to, open);
      return [
        {
          keptId: softDeletedNames.columns.get(move.from) ?? '',
          keptName: move.from,
          name: move.to,
          definition: open.definition + location(column),
        },
      ];
    });
  const specs = computed.map((column) => `DROP COLUMN ${quoteName(column.name)}`);
  const addSpecs: string[] = [];
  for (const column of pair.to.columns.filter((entry) => isAddedHere(entry, pair, nextKey))) {
    const open = define(column);
    added.set(column.name, open);
    addSpecs.push(`ADD COLUMN ${quoteName(column.name)} ${open.definition}${location(column)}`);
  }
  const keySpecs = [
    ...(isKeyGone ? ['DROP PRIMARY KEY'] : []),
    ...(nextKey === undefined ? [] : [`ADD ${nextKey.definition}`]),
  ];
  // MariaDB copies a table to drop its primary key, and it cannot copy while columns
  // of a foreign key are renamed.
  const isKeyLate = addSpecs.length > 0 || nextKey === undefined;
  (isKeyLate ? addSpecs : specs).push(...keySpecs);
  if (plain.length + removed.length + restored.length + specs.length + addSpecs.length === 0)
    return { alters: [], snapshot };
  const known = new Map(renamed.columns.map((column) => [column.name, column]));
  const indexes = isKeyGone
    ? [
        ...(nextKey === undefined ? [] : [nextKey]),
        ...renamed.indexes.filter((index) => index.name !== 'PRIMARY'),
      ]
    : renamed.indexes;
  return {
    alters: [
      {
        table: table.name,
        renames: plain,
        kept: removed
          .filter((column) => column.generated === null)
          .map((column) => ({ name: column.name, definition: softDeletedDefinition(column, engine) })),
        restored,
        specs,
      },
      ...(addSpecs.length === 0
        ? []
        : [{ table: table.name, renames: [], kept: [], restored: [], specs: addSpecs }]),
    ],
    snapshot: withTable(moved, {
      ...renamed,
      columns: present.flatMap((name) => known.get(name) ?? added.get(name) ?? []),
      indexes,
    }),
  };
}

/**
 * Returns whether a new column that takes the name of another one is added in the same statement. That
 * requires that the server does not read rows for it.
 */
function isAddedHere(column: Column, { from, origins }: TablePair, nextKey: Index | undefined): boolean {
  if (origins.has(column.name)) return false;
  if (nextKey?.columns.some((part) => part.name === column.name) === true) return true;
  const before = new Map(from.columns.map((entry) => [entry.name, entry]));
  if (findColumn(before, column.name) === undefined) return false;
  const isConstant = column.default.kind !== 'expression';
  return (
    column.generated === null && !column.autoIncrement && isConstant && !/ CHECK \(/.test(column.definition)
  );
}

function withTable(snapshot: Snapshot, table: Table): Snapshot {
  return {
    ...snapshot,
    tables: snapshot.tables.map((entry) =>
      entry.name === table.name && entry.kind === 'table' ? table : entry,
    ),
  };
}

function tableOf(snapshot: Snapshot, name: string): Table {
  return snapshot.tables.find((entry) => entry.name === name && entry.kind === 'table') as Table;
}
