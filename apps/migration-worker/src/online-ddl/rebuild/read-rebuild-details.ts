import type { FamilyKey, RebuildTable } from '@rowhouse/ddl-plan';
import { temporaryDefault } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { introspectSchema, introspectTable } from '@rowhouse/mysql';
import {
  type EngineKind,
  type ForeignKey,
  nameSnapshot,
  type RawColumn,
  type RawTable,
} from '@rowhouse/schema-model';
import { withCheck, type Run } from '../run-state.js';
import { readGeneratedSuffix } from './shadow-text.js';
import { toKeyColumn } from './key-column.js';
import type {
  ChildKey,
  ComparableColumn,
  InnerKey,
  MovedKey,
  RebuildDetails,
  RebuildMember,
} from '@rowhouse/platform-store';
import { makeKeyName, makeRebuildNames } from './rebuild-names.js';

const WHOLE = /^(tinyint|smallint|mediumint|int|bigint)$/;

const SHAPE = /^(geometry|point|linestring|polygon|multi\w+|geom\w+)$/;

const VARIABLE = /^(varchar|tinytext|text|mediumtext|longtext)$/;

/** The character set that has exactly one code for each character of all other sets. */
const UNIVERSAL = 'utf8mb4';

/**
 * The tables to rebuild: a single table, or several that are connected by foreign keys (a family), with those
 * keys.
 */
export interface RebuildOrder {
  readonly step: number;
  readonly tables: readonly RebuildTable[];
  /** The foreign keys of all tables that are rebuilt together. Null if they do not change. */
  readonly keys: readonly FamilyKey[] | null;
}

/** The current table and its empty shadow table. Both include hidden columns and keys. */
export interface MemberTables {
  readonly details: RebuildTable;
  readonly before: RawTable;
  readonly shadow: RawTable;
  readonly rows: number;
}

/**
 * Collects all facts about keys, columns and types that the rebuild needs. It runs when the shadow tables
 * exist and are still empty, and nothing else has changed.
 */
export async function readRebuildDetails(
  run: Run,
  order: RebuildOrder,
  members: readonly MemberTables[],
): Promise<RebuildDetails> {
  const { schemaName } = run.database;
  const all = await withCheck(run, (session) => introspectSchema(session, schemaName, run.server.engine));
  const keys = sortKeys(run, order, members, all);
  return {
    members: members.map((member, index) => toMember(run.server.engine, member, index, keys)),
    innerKeys: keys.inner,
    childKeys: keys.child,
  };
}

/** Returns the current table including hidden objects. */
export async function readTable(run: Run, name: string): Promise<RawTable> {
  const table = await introspectTable(run.connection, run.database.schemaName, run.server.engine, name);
  if (table === null)
    throw new AppError('schema.drift', {
      detail: `The table ${name} no longer exists.`,
      extra: { tables: [name] },
    });
  return table;
}

interface SortedKeys {
  readonly out: readonly (readonly MovedKey[])[];
  readonly inner: readonly InnerKey[];
  readonly child: readonly ChildKey[];
}

/** Groups the foreign keys of the rebuilt tables by what the rebuild must do with them. */
function sortKeys(
  run: Run,
  order: RebuildOrder,
  members: readonly MemberTables[],
  all: readonly RawTable[],
): SortedKeys {
  const locations = new Map(members.map((member, index) => [member.details.table, index]));
  const requested = new Map((order.keys ?? []).map((key) => [`${key.table}\n${key.name}`, key]));
  const out: MovedKey[][] = members.map(() => []);
  const inner: InnerKey[] = [];
  const child: ChildKey[] = [];
  let count = 0;
  for (const table of all) {
    const index = locations.get(table.name);
    for (const key of table.foreignKeys) {
      const ontoAt = locations.get(key.referencedTable);
      if (index === undefined && ontoAt === undefined) continue;
      const input = requested.get(`${table.name}\n${key.name}`);
      const shadow =
        index === undefined ? null : makeRebuildNames(run.migration.id, order.step, index).shadow;
      const moved = moveKey(
        table.name,
        key,
        input?.definition ?? key.definition,
        shadow,
        makeKeyName(run.migration.id, order.step, count),
      );
      count += 1;
      if (index === undefined)
        child.push({
          ...moved,
          table: table.name,
          ontoAt: ontoAt ?? 0,
          before: key.definition,
          indexes: indexNames(table),
        });
      else if (ontoAt === undefined) out[index]?.push(moved);
      else inner.push({ ...moved, at: index, ontoAt, late: readLate(run.server.engine, table.name, key) });
    }
  }
  return { out, inner, child };
}

function moveKey(
  table: string,
  key: ForeignKey,
  definition: string,
  shadow: string | null,
  spare: string,
): MovedKey {
  const suffix = shadow === null ? null : readGeneratedSuffix(table, key.name, 'ibfk');
  return {
    name: key.name,
    tempName: shadow === null || suffix === null ? spare : `${shadow}${suffix}`,
    definition,
    referencedTable: key.referencedTable,
  };
}

function readLate(engine: EngineKind, table: string, key: ForeignKey): InnerKey['late'] {
  const { onDelete: action, columns, referencedColumns } = key;
  if (engine !== 'mysql' || key.referencedTable !== table || (action !== 'CASCADE' && action !== 'SET NULL'))
    return null;
  return { action, columns, referencedColumns };
}

function indexNames(table: RawTable): { name: string; columns: string }[] {
  return table.indexes.map((index) => ({
    name: index.name,
    columns: JSON.stringify(index.columns.map((part) => part.name)),
  }));
}

function toMember(
  engine: EngineKind,
  member: MemberTables,
  position: number,
  keys: SortedKeys,
): RebuildMember {
  const { before, shadow } = member;
  const details: RebuildTable = {
    ...member.details,
    columns: [...member.details.columns, ...hiddenPairs(member)],
  };
  const old = new Map(before.columns.map((column) => [column.name, column]));
  const next = new Map(shadow.columns.map((column) => [column.name, column]));
  const find = <T>(map: ReadonlyMap<string, T>, name: string): T => {
    const found = map.get(name);
    if (found === undefined)
      throw new AppError('schema.drift', {
        detail: `${before.name}.${name} differs from the state that the plan was created for.`,
        extra: { tables: [before.name] },
      });
    return found;
  };
  return {
    at: position,
    details,
    keyIndex: findKeyIndex(before, details.key),
    keyColumns: details.key.map((name, index) =>
      toKeyColumn(find(old, name), find(next, details.shadowKey[index] ?? '')),
    ),
    outKeys: keys.out[position] ?? [],
    mayLag: keys.inner.some((key) => key.at === position),
    filled: listFilled(engine, member, details),
    comparable: details.columns.map(({ from, to }) => ({
      from,
      to,
      by: chooseComparison(find(old, from), find(next, to)),
    })),
    rows: member.rows,
  };
}

/**
 * Returns the hidden columns, with their current and new names. They are soft-deleted columns, which no plan
 * names, but a rebuild must copy them too.
 */
function hiddenPairs({ details, before, shadow }: MemberTables): { from: string; to: string }[] {
  const named = new Set(details.columns.map((column) => column.from));
  const there = new Set(shadow.columns.map((column) => column.name));
  return before.columns
    .filter(
      (column) =>
        column.name.startsWith('_rh_') &&
        column.generated === null &&
        !named.has(column.name) &&
        there.has(column.name),
    )
    .map(({ name }) => ({ from: name, to: name }));
}

function findKeyIndex(table: RawTable, key: readonly string[]): string {
  const found = table.indexes.find(
    (index) =>
      index.unique &&
      index.columns.length === key.length &&
      index.columns.every((part, index) => part.name === key[index] && part.prefixLength === null),
  );
  if (found === undefined)
    throw new AppError('schema.drift', {
      detail: `${table.name} no longer has the key that its rebuild requires.`,
      extra: { tables: [table.name] },
    });
  return found.name;
}

/** Lists the values for columns that no INSERT names. The server would store the same values. */
function listFilled(
  engine: EngineKind,
  { shadow }: MemberTables,
  details: RebuildTable,
): { name: string; value: string }[] {
  const carried = new Set(details.columns.map((column) => column.to));
  const [named] = nameSnapshot({ engine, tables: [shadow] }, null).tables;
  return (named?.columns ?? [])
    .filter(
      (column) =>
        !carried.has(column.name) &&
        column.generated === null &&
        !column.nullable &&
        column.default.kind === 'none' &&
        !column.autoIncrement,
    )
    .map((column) => ({ name: column.name, value: temporaryDefault(column, engine) }));
}

/** Returns how to compare a value of the table with its copy in another type. */
export function chooseComparison(from: RawColumn, to: RawColumn): ComparableColumn['by'] {
  if (SHAPE.test(from.type) || SHAPE.test(to.type)) return 'absence';
  if (from.sqlType === to.sqlType && from.charset === to.charset && from.collation === to.collation)
    return from.charset === null ? 'value' : 'bytes';
  if (WHOLE.test(from.type) && WHOLE.test(to.type)) return 'value';
  if (!VARIABLE.test(from.type) || !VARIABLE.test(to.type) || from.charset === null) return 'absence';
  if (from.charset === to.charset) return 'bytes';
  return to.charset === UNIVERSAL ? 'characters' : 'absence';
}
