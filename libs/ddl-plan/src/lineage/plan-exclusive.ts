import type { ForeignKey, Snapshot, Table } from '@rowhouse/schema-model';
import { dropKeysStep } from '../diff/diff-constraints.js';
import { alterTable, quoteName, quoteNames } from '../sql-text.js';
import { stateOf } from '../diff/table-state.js';
import type { ExclusiveAlter, ExclusiveDetails, PlannedStep, RowCheck } from '../types.js';
import { alterExclusively } from './exclusive-alter.js';
import { loosenSoftDeleted } from './loosen-soft-deleted.js';
import { findColumnName } from './name-state.js';
import { tableMoves, type Pairing, type TablePair } from './pair-objects.js';
import {
  renameTables,
  type Move,
  orderMoves,
  type SoftDeletedNames,
  type PlannedMoves,
} from './rename-snapshot.js';

/**
 * Plans a step that gives all objects their target names while no request runs. An object whose name is used
 * again is retained under another name, as in any drop. The object that replaces it is created in the same
 * step if the server can do so without reading rows.
 */
export function planExclusive(
  current: Snapshot,
  target: Snapshot,
  pairing: Pairing,
  softDeletedNames: SoftDeletedNames,
): Omit<PlannedMoves, 'created'> {
  const names = new Set(current.tables.filter((table) => table.kind === 'table').map((table) => table.name));
  const requested = new Set(
    target.tables.filter((table) => table.kind === 'table').map((table) => table.name),
  );
  const softDeletedTables = pairing.dropped.filter((table) => requested.has(table.name));
  const keptColumns = new Map(pairing.pairs.map((pair) => [pair.from.name, listReplaced(pair)]));
  const prepared = prepare(current, softDeletedTables, keptColumns);
  const isRestored = (move: Move): boolean => softDeletedNames.tables.has(move.from);
  const moves = tableMoves(pairing);

  const removed = new Set(softDeletedTables.map((table) => table.name));
  const moved = renameTables(
    {
      ...prepared.snapshot,
      tables: prepared.snapshot.tables.filter((table) => table.kind === 'view' || !removed.has(table.name)),
    },
    moves,
  );
  const { alters, snapshot } = alterPairs(moved, pairing, keptColumns, softDeletedNames, target);
  const created = pairing.created.filter(
    (table) => names.has(table.name) && table.foreignKeys.length === 0 && (table.triggers ?? []).length === 0,
  );
  const renamed = {
    ...snapshot,
    tables: [...snapshot.tables, ...created].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const details: Omit<ExclusiveDetails, 'script'> = {
    keptTables: softDeletedTables.map((table) => ({
      table: table.name,
      triggers: (table.triggers ?? []).map((trigger) => trigger.name),
      foreignKeys: describeKeys(current, prepared.snapshot, table.name),
    })),
    restoredTables: moves.filter(isRestored).map((move) => ({
      table: move.to,
      keptName: move.from,
      keptId: softDeletedNames.tables.get(move.from) ?? '',
    })),
    tables: moves.filter((move) => !isRestored(move)),
    alters,
    creates: created.map((table) => ({ table: table.name, sql: table.createSql })),
  };
  return {
    steps: [
      ...prepared.steps,
      exclusiveStep(
        details,
        renamed,
        lossOf(softDeletedTables, pairing, keptColumns),
        emptiedChecks(pairing, names),
      ),
    ],
    renamed,
  };
}

/** Plans the changes of the paired tables. Returns them with the resulting schema. */
function alterPairs(
  snapshot: Snapshot,
  { pairs }: Pairing,
  keptColumns: ReadonlyMap<string, ReadonlySet<string>>,
  softDeletedNames: SoftDeletedNames,
  { engine }: Snapshot,
): { alters: ExclusiveAlter[]; snapshot: Snapshot } {
  const alters: ExclusiveAlter[] = [];
  let changed = snapshot;
  for (const pair of pairs) {
    const replaced = keptColumns.get(pair.from.name) ?? new Set();
    const result = alterExclusively(changed, pair, replaced, softDeletedNames, engine);
    changed = result.snapshot;
    alters.push(...result.alters);
  }
  return { alters, snapshot: changed };
}

/**
 * Returns the deployed columns that are not in the target, and whose name another column of the target gets.
 */
function listReplaced({ from, to, origins }: TablePair): ReadonlySet<string> {
  const carried = new Set(origins.values());
  const before = new Map(from.columns.map((column) => [column.name, column]));
  return new Set(
    to.columns
      .flatMap((column) => findColumnName(before, column.name) ?? [])
      .filter((name) => !carried.has(name)),
  );
}

/**
 * Returns the steps that must run before the names change. They drop the foreign keys to retained objects,
 * and the constraints of the same table that depend on these objects.
 */
function prepare(
  current: Snapshot,
  softDeletedTables: readonly Table[],
  keptColumns: ReadonlyMap<string, ReadonlySet<string>>,
): { steps: PlannedStep[]; snapshot: Snapshot } {
  const removed = new Set(softDeletedTables.map((table) => table.name));
  const usesReplaced = (names: readonly string[], table: string): boolean =>
    names.some((name) => keptColumns.get(table)?.has(name) === true);
  const isBound = (table: Table, key: ForeignKey): boolean =>
    removed.has(key.referencedTable) ||
    usesReplaced(key.columns, table.name) ||
    usesReplaced(key.referencedColumns, key.referencedTable);
  const steps: PlannedStep[] = [];
  const tables = current.tables.map((table) => {
    if (table.kind === 'view' || removed.has(table.name)) return table;
    const keys = table.foreignKeys.filter((key) => isBound(table, key));
    steps.push(...dropKeysStep(table.name, keys));
    return { ...table, foreignKeys: table.foreignKeys.filter((key) => !keys.includes(key)) };
  });
  const loosened = tables.map((table) => {
    const done = loosenSoftDeleted(table, keptColumns.get(table.name) ?? new Set(), current.engine);
    steps.push(...done.steps);
    return done.table;
  });
  return { steps, snapshot: { ...current, tables: loosened } };
}

function describeKeys(
  current: Snapshot,
  prepared: Snapshot,
  name: string,
): ExclusiveDetails['keptTables'][number]['foreignKeys'] {
  const find = (snapshot: Snapshot): readonly ForeignKey[] =>
    snapshot.tables.find((table) => table.name === name)?.foreignKeys ?? [];
  const existing = new Set(find(prepared).map((key) => key.name));
  return find(current).map((key) => ({
    name: key.name,
    definition: key.definition,
    isStanding: existing.has(key.name),
  }));
}

function lossOf(
  softDeletedTables: readonly Table[],
  { pairs }: Pairing,
  keptColumns: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const columns = pairs.flatMap((pair) =>
    [...(keptColumns.get(pair.from.name) ?? [])].map(
      (name) => `column ${pair.from.name}.${name} with its values`,
    ),
  );
  return [...softDeletedTables.map((table) => `table ${table.name} with all its rows`), ...columns];
}

/**
 * Returns checks that find rows which refer to a replaced table. The new table is empty, so that such rows
 * would refer to nothing.
 */
function emptiedChecks({ pairs, created }: Pairing, names: ReadonlySet<string>): RowCheck[] {
  const fresh = new Set(created.map((table) => table.name).filter((name) => names.has(name)));
  return pairs.flatMap(({ from, to, origins }) =>
    to.foreignKeys
      .filter((key) => fresh.has(key.referencedTable))
      .flatMap((key): RowCheck[] => {
        const columns = key.columns.flatMap((name) => origins.get(name) ?? []);
        if (columns.length < key.columns.length) return [];
        const shows = [...new Set([...stateOf(from).order.slice(0, 1), ...columns])];
        const present = columns.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
        return [
          {
            table: from.name,
            problem:
              `${from.name} contains rows whose ${columns.join(', ')} references ${key.referencedTable}, ` +
              'which is replaced by an empty table',
            sql: `SELECT ${quoteNames(shows)} FROM ${quoteName(from.name)} WHERE ${present} LIMIT 5`,
            shows,
          },
        ];
      }),
  );
}

function exclusiveStep(
  details: Omit<ExclusiveDetails, 'script'>,
  renamed: Snapshot,
  loss: readonly string[],
  rowChecks: readonly RowCheck[],
): PlannedStep {
  const script = writeScript(details, renamed);
  const sql = script.map((statement) => `${statement};\n`).join('');
  const table = details.keptTables[0]?.table ?? details.tables[0]?.from ?? details.alters[0]?.table ?? '';
  return {
    kind: 'exclusive',
    table,
    sql,
    class: 'exclusive',
    reversible: true,
    loss,
    beforePublish: sql,
    afterPublish: null,
    rowChecks,
    intent: { kind: 'exclusive', details: { ...details, script } },
  };
}

/**
 * Returns the statements of the step for the empty copy of the schema on which it is tried. On the copy, no
 * object is retained or restored.
 */
function writeScript(
  {
    keptTables: softDeletedTables,
    restoredTables,
    tables,
    alters,
    creates,
  }: Omit<ExclusiveDetails, 'script'>,
  renamed: Snapshot,
): string[] {
  const drops = softDeletedTables.map(({ table }) => `DROP TABLE ${quoteName(table)}`);
  const moves = orderMoves(tables);
  const restored = restoredTables.flatMap(
    ({ table }) => renamed.tables.find((entry) => entry.name === table)?.createSql ?? [],
  );
  const restoredNames = new Set(restoredTables.map(({ table }) => table));
  return [
    ...drops,
    ...(moves.length === 0
      ? []
      : [
          `RENAME TABLE ${moves.map((move) => `${quoteName(move.from)} TO ${quoteName(move.to)}`).join(', ')}`,
        ]),
    ...restored,
    ...withKeyDrops(alters.filter((alter) => !restoredNames.has(alter.table))).flatMap((alter) =>
      scriptOf(alter, renamed),
    ),
    ...creates.map(({ sql }) => sql),
  ];
}

/**
 * Adapts the statements to the empty copy, on which a replaced column is dropped instead of retained. DROP
 * PRIMARY KEY moves to the statement that drops the key's column. The next primary key is added there too,
 * unless a later statement adds one of its columns.
 */
function withKeyDrops(alters: readonly ExclusiveAlter[]): ExclusiveAlter[] {
  return alters.map((alter, index) => {
    const [before, after] = [alters[index - 1], alters[index + 1]];
    if (before?.table === alter.table && before.kept.length > 0)
      return { ...alter, specs: alter.specs.filter((spec) => !listEarly(alter.specs).includes(spec)) };
    if (after?.table !== alter.table || alter.kept.length === 0) return alter;
    return { ...alter, specs: [...listEarly(after.specs), ...alter.specs] };
  });
}

const DROP_KEY = 'DROP PRIMARY KEY';

/** Returns the primary key clauses of a second ALTER that can already run in the first one. */
function listEarly(specs: readonly string[]): string[] {
  const added = specs.flatMap((spec) => /^ADD COLUMN (`(?:[^`]|``)+`)/.exec(spec)?.[1] ?? []);
  return specs.filter(
    (spec) =>
      spec === DROP_KEY || (spec.startsWith('ADD PRIMARY KEY') && !added.some((name) => spec.includes(name))),
  );
}

function scriptOf(
  { table, kept: softDeleted, renames, restored, specs }: ExclusiveAlter,
  renamed: Snapshot,
): string[] {
  const drops = softDeleted.map((column) => `DROP COLUMN ${quoteName(column.name)}`);
  const moves = renames.map((move) => `RENAME COLUMN ${quoteName(move.from)} TO ${quoteName(move.to)}`);
  // If one statement drops a column of a referenced table and renames another, MySQL may report that this
  // table does not exist.
  const isReferenced = renamed.tables.some((other) =>
    other.foreignKeys.some((key) => key.referencedTable === table),
  );
  const isKeyless =
    softDeleted.length > 0 &&
    specs.includes(DROP_KEY) &&
    !specs.some((spec) => spec.startsWith('ADD PRIMARY KEY'));
  const isSplit = (isReferenced && specs.length === 0) || isKeyless;
  return [
    ...(isSplit
      ? [alterTable(table, [...drops, ...specs]), alterTable(table, moves)]
      : [alterTable(table, [...drops, ...moves, ...specs])]),
    alterTable(
      table,
      restored.map((column) => `ADD COLUMN ${quoteName(column.name)} ${column.definition}`),
    ),
  ].flatMap((sql) => sql ?? []);
}

/** Lists the tables that an exclusive step changes, by their names before and after it. */
export function listExclusive({
  keptTables: softDeletedTables,
  restoredTables,
  tables,
  alters,
  creates,
}: ExclusiveDetails): string[] {
  const moved = tables.flatMap((move) => [move.from, move.to]);
  return [
    ...new Set([
      ...moved,
      ...[...softDeletedTables, ...restoredTables, ...alters, ...creates].map((entry) => entry.table),
    ]),
  ];
}

/** Lists the tables of which an exclusive step retains rows or columns, by their names before the step. */
export function listLosing({ keptTables: softDeletedTables, tables, alters }: ExclusiveDetails): string[] {
  const before = new Map(tables.map((move) => [move.to, move.from]));
  return [
    ...softDeletedTables.map((entry) => entry.table),
    ...alters.filter((alter) => alter.kept.length > 0).map((alter) => before.get(alter.table) ?? alter.table),
  ];
}
