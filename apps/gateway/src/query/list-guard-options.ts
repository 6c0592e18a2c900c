import { foldName, type GroupingTable, type GuardOptions, type RouteSchema } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';

const routeSchemas = new WeakMap<CompiledSnapshot, RouteSchema>();

/** Returns what the guard must know: the tables that the key may read, and the names of all other tables. */
export function listGuardOptions(tenant: Tenant, compiled: CompiledSnapshot): GuardOptions {
  const tables = compiled.tableNames.filter((name) => compiled.findByName(name)?.verbs.includes('read'));
  const known = new Set(tables);
  const hiddenNames = compiled.snapshot.tables.map((table) => table.name).filter((name) => !known.has(name));
  const groupingTables =
    tenant.database.record.server.engine === 'mariadb'
      ? { groupingTables: (name: string) => toGroupingTable(compiled, name) }
      : {};
  return {
    tables,
    hiddenNames,
    schemaName: tenant.database.record.schemaName,
    partial: listPartial(compiled),
    ...groupingTables,
  };
}

const partials = new WeakMap<CompiledSnapshot, ReadonlyMap<string, readonly string[]>>();

/** Returns the visible columns of tables with hidden columns. Empty when the database hides nothing. */
function listPartial(compiled: CompiledSnapshot): ReadonlyMap<string, readonly string[]> {
  const known = partials.get(compiled);
  if (known !== undefined) return known;
  const partial = new Map<string, readonly string[]>();
  partials.set(compiled, partial);
  for (const name of compiled.tableNames) {
    const table = compiled.findByName(name);
    if (table !== null && table.columns.some((column) => column.hidden))
      partial.set(
        name,
        table.shown.map((column) => column.name),
      );
  }
  return partial;
}

/**
 * Returns the keys of a table. Returns null for a view, because it is unknown which of its columns depend on
 * others.
 */
function toGroupingTable(compiled: CompiledSnapshot, name: string): GroupingTable | null {
  const table = compiled.findByName(name)?.source;
  if (table === undefined || table.kind === 'view') return null;
  const unique = table.indexes.filter(
    (index) =>
      index.unique && index.columns.every((part) => part.name !== null && part.prefixLength === null),
  );
  return {
    columns: new Set(table.columns.map((column) => foldName(column.name))),
    keys: [table.primaryKey ?? [], ...unique.map((index) => index.columns.map((part) => part.name ?? ''))]
      .filter((key) => key.length > 0)
      .map((key) => key.map(foldName)),
    generated: table.columns
      .filter((column) => column.generated !== null)
      .map((column) => foldName(column.name)),
  };
}

/** Returns the tables and columns that the key may see. Computed once for each view of a snapshot. */
export function toRouteSchema(compiled: CompiledSnapshot): RouteSchema {
  const found = routeSchemas.get(compiled);
  if (found !== undefined) return found;
  const schema: RouteSchema = {
    tables: compiled.tableNames.map((name) => ({
      name,
      columns: compiled.findByName(name)?.shown.map((column) => column.name) ?? [],
    })),
  };
  routeSchemas.set(compiled, schema);
  return schema;
}
