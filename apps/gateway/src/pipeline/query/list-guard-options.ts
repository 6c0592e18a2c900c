import { foldName, type GroupingTable, type GuardOptions } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';

/** What the key may read, and everything else of the database, which for it is not there. */
export function listGuardOptions(tenant: Tenant, compiled: CompiledSnapshot): GuardOptions {
  const tables = compiled.tableNames.filter((name) => compiled.findByName(name)?.verbs.includes('read'));
  const known = new Set(tables);
  const hiddenNames = compiled.snapshot.tables.map((table) => table.name).filter((name) => !known.has(name));
  const groupingTables = tenant.database.record.server.engine === 'mariadb' ? { groupingTables: (name: string) => toGroupingTable(compiled, name) } : {};
  return { tables, hiddenNames, schemaName: tenant.database.record.schemaName, partial: listPartial(compiled), ...groupingTables };
}

const partials = new WeakMap<CompiledSnapshot, ReadonlyMap<string, readonly string[]>>();

/** Tables with hidden columns, and what is left of them. Empty where a database hides nothing. */
function listPartial(compiled: CompiledSnapshot): ReadonlyMap<string, readonly string[]> {
  const known = partials.get(compiled);
  if (known !== undefined) return known;
  const partial = new Map<string, readonly string[]>();
  partials.set(compiled, partial);
  for (const name of compiled.tableNames) {
    const table = compiled.findByName(name);
    if (table !== null && table.columns.some((column) => column.hidden)) partial.set(name, table.shown.map((column) => column.name));
  }
  return partial;
}

/** Null for a view, whose dependencies are those of a statement that is not known here. */
function toGroupingTable(compiled: CompiledSnapshot, name: string): GroupingTable | null {
  const table = compiled.findByName(name)?.source;
  if (table === undefined || table.kind === 'view') return null;
  const unique = table.indexes.filter((index) => index.unique && index.columns.every((part) => part.name !== null && part.prefixLength === null));
  return {
    columns: new Set(table.columns.map((column) => foldName(column.name))),
    keys: [table.primaryKey ?? [], ...unique.map((index) => index.columns.map((part) => part.name ?? ''))].filter((key) => key.length > 0).map((key) => key.map(foldName)),
    generated: table.columns.filter((column) => column.generated !== null).map((column) => foldName(column.name)),
  };
}
