import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import { createWithout } from '../diff/create-order.js';
import { quoteName } from '../sql-text.js';
import type { SoftDeletedObject, RenameHint, ExclusiveDetails } from '../types.js';
import { lineageOfHints, type Lineage, type Origin, type TableLineage } from './lineage.js';
import { findColumnName } from './name-state.js';
import type { SoftDeletedNames } from './rename-snapshot.js';

/** Maps the objects of a migration's base schema to their names in the current schema. */
export function reverseLineage(
  current: Snapshot,
  base: Snapshot,
  { hints, exclusive }: RevertInput,
  keptNames: ReturnedNames = NONE_RETURNED,
): Lineage {
  if (exclusive === null) return lineageOfHints(current, base, invertHints(hints));
  const existing = new Map(
    current.tables.filter((table) => table.kind === 'table').map((table) => [table.name, table]),
  );
  const [softDeletedTables, movedTables] = [
    new Set(exclusive.keptTables.map((entry) => entry.table)),
    new Map(exclusive.tables.map((move) => [move.from, move.to])),
  ];
  const provided = new Set([...exclusive.creates, ...exclusive.restoredTables].map((entry) => entry.table));
  const isGiven = (name: string): boolean =>
    provided.has(name) || exclusive.tables.some((move) => move.to === name);
  const tables = new Map<string, TableLineage>();
  for (const table of base.tables.filter((entry) => entry.kind === 'table')) {
    const now = softDeletedTables.has(table.name)
      ? (keptNames.tables.get(table.name) ?? (isGiven(table.name) ? null : table.name))
      : (movedTables.get(table.name) ?? table.name);
    const found = now === null ? undefined : existing.get(now);
    const alters = exclusive.alters.filter((entry) => entry.table === now);
    const isOwn = found !== undefined && !softDeletedTables.has(table.name);
    const columns = new Map(
      table.columns.map(({ name }): [string, Origin] => {
        const before =
          found === undefined
            ? null
            : !isOwn
              ? name
              : columnNow(name, alters, keptNames.columns.get(`${now}.${name}`));
        const column =
          before === null || found === undefined ? undefined : findColumnName(byName(found.columns), before);
        return [name, { name: column ?? null, takenAs: null }];
      }),
    );
    tables.set(table.name, { name: found?.name ?? null, takenAs: null, columns });
  }
  return {
    tables,
    known: new Map(
      [...existing].map(([name, table]) => [name, new Set(table.columns.map((column) => column.name))]),
    ),
  };
}

/**
 * Returns the current name of a column. Returns null if the column was dropped and another column now has its
 * name.
 */
function columnNow(
  name: string,
  alters: NonNullable<RevertInput['exclusive']>['alters'],
  keptAs: string | undefined,
): string | null {
  const renames = alters.flatMap((alter) => alter.renames);
  if (alters.some((alter) => alter.kept.some((column) => column.name === name))) {
    const added = `ADD COLUMN ${quoteName(name)} `;
    const isGiven =
      renames.some((move) => move.to.toLowerCase() === name.toLowerCase()) ||
      alters.some(
        (alter) =>
          alter.restored.some((column) => column.name === name) ||
          alter.specs.some((spec) => spec.startsWith(added)),
      );
    return keptAs ?? (isGiven ? null : name);
  }
  return renames.find((move) => move.from === name)?.to ?? name;
}

interface ReturnedNames {
  /** The retained names of restored tables. */
  readonly tables: ReadonlyMap<string, string>;
  /**
   * The retained names of restored columns. The keys are of the form `table.column`, with the current name of
   * the table.
   */
  readonly columns: ReadonlyMap<string, string>;
}

const NONE_RETURNED: ReturnedNames = { tables: new Map(), columns: new Map() };

/**
 * Adds the objects that an exclusive step has retained to the current schema, with their retained names. They
 * can only get their original names after the objects that have these names now are renamed or dropped.
 */
export function addReplaced(
  current: Snapshot,
  base: Snapshot,
  input: RevertInput,
): { snapshot: Snapshot; lineage: Lineage; names: SoftDeletedNames; notes: string[] } {
  const { exclusive } = input;
  const nothing: SoftDeletedNames = { tables: new Map(), columns: new Map() };
  if (exclusive === null)
    return { snapshot: current, lineage: reverseLineage(current, base, input), names: nothing, notes: [] };
  const plain = reverseLineage(current, base, input);
  const existing = byName(current.tables.filter((table) => table.kind === 'table'));
  const tables = input.retained.filter(
    (object) =>
      object.kind === 'table' &&
      existing.has(object.table) &&
      base.tables.some((table) => table.name === object.table && table.kind === 'table'),
  );
  const columns = input.retained.filter((object) => isReplaced(object, existing, plain, base));
  const virtual = tables.map((object): Table =>
    bareTable(base.tables.find((table) => table.name === object.table) as Table, object.keptName),
  );
  const extended = current.tables.map((table): Table => {
    const own = columns.filter((object) => object.table === table.name);
    const target = base.tables.find((entry) => plain.tables.get(entry.name)?.name === table.name);
    const more = own.flatMap(
      (object): Column[] =>
        target?.columns
          .filter((column) => column.name === object.column)
          .map((column) => ({ ...column, name: object.keptName })) ?? [],
    );
    return more.length === 0 ? table : { ...table, columns: [...table.columns, ...more] };
  });
  const snapshot = {
    ...current,
    tables: [...extended, ...virtual].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const returned: ReturnedNames = {
    tables: new Map(tables.map((object) => [object.table, object.keptName])),
    columns: new Map(columns.map((object) => [`${object.table}.${object.column}`, object.keptName])),
  };
  return {
    snapshot,
    lineage: reverseLineage(snapshot, base, input, returned),
    names: {
      tables: new Map(tables.map((object) => [object.keptName, object.id])),
      columns: new Map(columns.map((object) => [object.keptName, object.id])),
    },
    notes: [
      ...tables.map(
        (object) => `${object.table} is restored with the rows that it had when it was replaced.`,
      ),
      ...columns.map(
        (object) =>
          `${object.table}.${object.column} is restored with its values. Rows written since then have ` +
          'its default.',
      ),
    ],
  };
}

function isReplaced(
  object: SoftDeletedObject,
  existing: ReadonlyMap<string, Table>,
  lineage: Lineage,
  base: Snapshot,
): boolean {
  const table = existing.get(object.table);
  if (
    object.kind !== 'column' ||
    object.column === null ||
    table === undefined ||
    findColumnName(byName(table.columns), object.column) === undefined
  )
    return false;
  const { column } = object;
  return base.tables.some(
    (entry) =>
      lineage.tables.get(entry.name)?.name === object.table &&
      entry.columns.some((other) => other.name === column) &&
      lineage.tables.get(entry.name)?.columns.get(column)?.name === null,
  );
}

/** Returns a table without its foreign keys and triggers, which have steps of their own. */
function bareTable(table: Table, name: string): Table {
  const sql = createWithout(table, new Set(table.foreignKeys.map((key) => key.name)));
  const { triggers: _triggers, ...unqualified } = {
    ...table,
    name,
    foreignKeys: [],
    createSql: sql.replace(`\`${table.name.replaceAll('`', '``')}\``, () => `\`${name}\``),
  };
  return unqualified;
}

function byName<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** Returns the renames that undo the given ones, in the order in which they must run. */
function invertHints(hints: readonly RenameHint[]): RenameHint[] {
  return [...hints].reverse().map((hint) => ({ ...hint, from: hint.to, to: hint.from }));
}

export interface RevertInput {
  /** The objects that the migration dropped and that are still retained. */
  readonly retained: readonly SoftDeletedObject[];
  /** The renames of the migration, in order. */
  readonly hints: readonly RenameHint[];
  /**
   * The exclusive step of the migration, which made all of its renames. Null if the migration had no such
   * step.
   */
  readonly exclusive: ExclusiveDetails | null;
}
