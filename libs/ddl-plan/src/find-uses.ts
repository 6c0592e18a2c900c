import type { Snapshot } from '@rowhouse/schema-model';
import { moveObjects } from './diff/diff-snapshots.js';
import type { Lineage } from './lineage/lineage.js';
import type { Pairing } from './lineage/pair-objects.js';

/** A view, trigger or routine that names a removed or renamed object. */
export interface Use {
  readonly kind: 'view' | 'trigger' | 'procedure' | 'function';
  readonly name: string;
  /** The named object: a table (`posts`) or a column (`posts.title`). */
  readonly what: string;
}

interface SchemaObject {
  readonly kind: Use['kind'];
  readonly name: string;
  /** The table of a trigger. Null for views and routines. */
  readonly table: string | null;
  readonly sql: string;
}

/** The name of a column or, if `column` is null, of a table. */
interface Name {
  readonly table: string;
  readonly column: string | null;
}

/**
 * Returns the unchanged triggers and routines that name an object which exists only in the first schema.
 * Servers keep them, but they fail when they run. Views are not included, because the server itself reports
 * broken views.
 */
export function findBroken(before: Snapshot, after: Snapshot): Use[] {
  const removed = listRemoved(before, after);
  if (removed.length === 0) return [];
  const cache = new Map(listObjects(before).map((object) => [`${object.kind} ${object.name}`, object.sql]));
  const unchanged = listObjects(after).filter(
    (object) => object.kind !== 'view' && cache.get(`${object.kind} ${object.name}`) === object.sql,
  );
  return unchanged.flatMap((object) => usesOf(object, removed));
}

/**
 * Returns the views, triggers and routines that prevent renames. They name a renamed or replaced object, and
 * also exist in the target schema. Between the rename and their own change, they would fail or read another
 * object.
 *
 * An unchanged object does not prevent renames if every name in it still exists in the target, because
 * servers then accept it. An object that the plan drops does not either, because it is dropped before the
 * renames.
 */
export function findInRenames(current: Snapshot, target: Snapshot, lineage: Lineage | null): Use[] {
  const { pairing, moves } = moveObjects(current, target, lineage);
  const moved = listMoved(pairing);
  if (moved.length === 0) return [];
  const removed = new Set(listRemoved(current, target).map((name) => JSON.stringify(name)));
  const textOf = (snapshot: Snapshot): ReadonlyMap<string, string> =>
    new Map(listObjects(snapshot).map((object) => [`${object.kind} ${object.name}`, object.sql]));
  const [follows, staying] = [textOf(moves.renamed), textOf(target)];
  return listObjects(current).flatMap((object) => {
    const key = `${object.kind} ${object.name}`;
    if (!staying.has(key)) return [];
    const isUnchanged = follows.get(key) === staying.get(key);
    return usesOf(object, isUnchanged ? moved.filter((name) => removed.has(JSON.stringify(name))) : moved);
  });
}

/**
 * Lists the names of the deployed schema that refer to another object or to none in the target schema. Column
 * names that differ only in case are the same name.
 */
function listMoved({ pairs, created, dropped }: Pairing): Name[] {
  const taken = new Set([...created.map((table) => table.name), ...pairs.map((pair) => pair.to.name)]);
  const tables = [
    ...pairs.filter(({ from, to }) => from.name !== to.name).map((pair) => pair.from),
    ...dropped.filter((table) => taken.has(table.name)),
  ];
  const columns = pairs.flatMap(({ from, to, origins }) => {
    const stays = new Map([...origins].map(([name, origin]) => [origin, name]));
    const requested = new Set(to.columns.map((column) => column.name.toLowerCase()));
    const isMoved = (name: string): boolean =>
      stays.has(name)
        ? stays.get(name)?.toLowerCase() !== name.toLowerCase()
        : requested.has(name.toLowerCase());
    return from.columns
      .filter((column) => isMoved(column.name))
      .map((column): Name => ({ table: from.name, column: column.name }));
  });
  return [...tables.map((table): Name => ({ table: table.name, column: null })), ...columns];
}

function listRemoved(before: Snapshot, after: Snapshot): Name[] {
  const tables = new Map(
    after.tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  return before.tables.flatMap((table): Name[] => {
    const columns = tables.get(table.name);
    if (columns === undefined) return [{ table: table.name, column: null }];
    return table.columns
      .filter((column) => !columns.has(column.name))
      .map((column) => ({ table: table.name, column: column.name }));
  });
}

function listObjects(snapshot: Snapshot): SchemaObject[] {
  const views = snapshot.tables
    .filter((table) => table.kind === 'view')
    .map((view): SchemaObject => ({ kind: 'view', name: view.name, table: null, sql: view.createSql }));
  const triggers = snapshot.tables.flatMap((table) =>
    (table.triggers ?? []).map((trigger): SchemaObject => ({
      kind: 'trigger',
      name: trigger.name,
      table: table.name,
      sql: trigger.createSql,
    })),
  );
  const routines = (snapshot.routines ?? []).map((routine): SchemaObject => ({
    kind: routine.kind,
    name: routine.name,
    table: null,
    sql: routine.createSql,
  }));
  return [...views, ...triggers, ...routines];
}

function usesOf(object: SchemaObject, names: readonly Name[]): Use[] {
  const words = listNames(object.sql);
  const uses = names.filter((name) => {
    const isOwn = object.table === name.table;
    if (name.column === null) return !isOwn && words.has(name.table.toLowerCase());
    return words.has(name.column.toLowerCase()) && (isOwn || words.has(name.table.toLowerCase()));
  });
  return uses.map((name) => ({
    kind: object.kind,
    name: object.name,
    what: name.column === null ? name.table : `${name.table}.${name.column}`,
  }));
}

/**
 * Returns all words and quoted names in a statement in lower case. String literals and comments are ignored.
 */
function listNames(sql: string): ReadonlySet<string> {
  const names = new Set<string>();
  const parts =
    /'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"|\/\*[\s\S]*?\*\/|(?:--\s|#)[^\n]*|`((?:[^`]|``)+)`|([\p{L}\p{N}_$]+)/gu;
  for (const match of sql.matchAll(parts)) {
    const name = match[1]?.replaceAll('``', '`') ?? match[2];
    if (name !== undefined) names.add(name.toLowerCase());
  }
  return names;
}
