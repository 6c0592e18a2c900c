import type { Column, EngineKind, Index, Snapshot, Table } from '@rowhouse/schema-model';
import { placeColumn } from '../diff/column-order.js';
import { isRequired } from '../diff/column-specs.js';
import { softDeletedDefinition } from '../diff/drop-columns.js';
import { quoteName } from '../sql-text.js';
import { withTemporaryDefault } from '../diff/temporary-default.js';
import type { ExclusiveAlter } from '../types.js';
import { columnMoves, type TablePair } from './pair-objects.js';
import { renameColumns, type SoftDeletedNames } from './rename-snapshot.js';
import { findColumnName } from './name-state.js';

/**
 * Returns the ALTER statements that change the columns of one table in an exclusive step. In the first, every
 * name refers to the column that has it before the statement. A second one adds new columns: in the same
 * statement, MariaDB would give a new column the keys of the previous column with this name. Servers run both
 * without reading rows, unless the primary key changes.
 *
 * @param snapshot the schema in which the table already has its new name
 * @param replaced columns that are retained under another name, because another column gets their name
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
  const computed = listComputed(table, replaced, removed);
  const key = findKeyChange(table, pair, replaced);
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
  const columns = createPlacedColumns(renamed, pair, key, engine);
  const restored = renames
    .filter((move) => restoredNames.has(move.from))
    .flatMap((move) => {
      const definition = columns.place(move.to);
      const keptId = softDeletedNames.columns.get(move.from) ?? '';
      return definition === null ? [] : [{ keptId, keptName: move.from, name: move.to, definition }];
    });
  const addSpecs = pair.to.columns
    .filter((entry) => isAddedHere(entry, pair, key.next))
    .map((column) => `ADD COLUMN ${quoteName(column.name)} ${columns.place(column.name) ?? ''}`);
  const specs = computed.map((column) => `DROP COLUMN ${quoteName(column.name)}`);
  // To drop a primary key, MariaDB copies the table. The copy fails if columns of a foreign key are renamed
  // in the same statement.
  const isKeyLate = addSpecs.length > 0 || key.next === undefined;
  (isKeyLate ? addSpecs : specs).push(...keySpecs(key));
  if (plain.length + removed.length + restored.length + specs.length + addSpecs.length === 0)
    return { alters: [], snapshot };
  const kept = removed
    .filter((column) => column.generated === null)
    .map((column) => ({ name: column.name, definition: softDeletedDefinition(column, engine) }));
  return {
    alters: [
      { table: table.name, renames: plain, kept, restored, specs },
      ...(addSpecs.length === 0
        ? []
        : [{ table: table.name, renames: [], kept: [], restored: [], specs: addSpecs }]),
    ],
    snapshot: withTable(moved, {
      ...renamed,
      columns: columns.list(),
      indexes: replaceKey(renamed.indexes, key),
    }),
  };
}

/**
 * Returns the columns that are generated from a replaced column. In the target, they have another expression.
 */
function listComputed(table: Table, replaced: ReadonlySet<string>, removed: readonly Column[]): Column[] {
  return table.columns.filter(
    (column) =>
      column.generated !== null &&
      !replaced.has(column.name) &&
      removed.some((base) => column.definition.includes(quoteName(base.name))),
  );
}

/**
 * Whether the primary key is dropped together with a replaced column, and the primary key that follows it.
 */
interface KeyChange {
  readonly isDropped: boolean;
  readonly next: Index | undefined;
}

function findKeyChange(table: Table, { to }: TablePair, replaced: ReadonlySet<string>): KeyChange {
  const primary = table.indexes.find((index) => index.name === 'PRIMARY');
  const isDropped = primary?.columns.some((part) => replaced.has(part.name ?? '')) === true;
  return { isDropped, next: isDropped ? to.indexes.find((index) => index.name === 'PRIMARY') : undefined };
}

function keySpecs({ isDropped, next }: KeyChange): string[] {
  return [
    ...(isDropped ? ['DROP PRIMARY KEY'] : []),
    ...(next === undefined ? [] : [`ADD ${next.definition}`]),
  ];
}

function replaceKey(indexes: readonly Index[], { isDropped, next }: KeyChange): readonly Index[] {
  if (!isDropped) return indexes;
  return [...(next === undefined ? [] : [next]), ...indexes.filter((index) => index.name !== 'PRIMARY')];
}

/** The columns of a table while the target's columns are added to it one by one. */
interface PlacedColumns {
  /**
   * Adds a column of the target. Returns its definition and its position in SQL. Returns null if the target
   * has no such column.
   */
  place(name: string): string | null;
  list(): Column[];
}

/** Creates the list of columns. `renamed` is the table after the renames, and before columns are added. */
function createPlacedColumns(
  renamed: Table,
  { to }: TablePair,
  { next }: KeyChange,
  engine: EngineKind,
): PlacedColumns {
  const columns = new Map(renamed.columns.map((column) => [column.name, column]));
  const order = [...columns.keys()];
  const targetOrder = to.columns.map((entry) => entry.name);
  const define = (column: Column): Column =>
    isRequired(column) && next?.columns.some((part) => part.name === column.name) !== true
      ? {
          ...column,
          default: { kind: 'literal', text: '' },
          definition: withTemporaryDefault(column, engine),
        }
      : column;
  return {
    place: (name) => {
      const column = to.columns.find((entry) => entry.name === name);
      if (column === undefined) return null;
      const open = define(column);
      // A column that already exists in the table keeps its definition.
      if (!columns.has(name)) columns.set(name, open);
      return open.definition + placeColumn(order, targetOrder, name);
    },
    list: () => order.flatMap((name) => columns.get(name) ?? []),
  };
}

/**
 * Reports whether a new column that gets the name of another one is added in the same step. This is only
 * possible if the server does not read rows to add it.
 */
function isAddedHere(column: Column, { from, origins }: TablePair, nextKey: Index | undefined): boolean {
  if (origins.has(column.name)) return false;
  if (nextKey?.columns.some((part) => part.name === column.name) === true) return true;
  const before = new Map(from.columns.map((entry) => [entry.name, entry]));
  if (findColumnName(before, column.name) === undefined) return false;
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
