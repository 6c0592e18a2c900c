import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { ApiImpact } from './types.js';

/** Lists the routes and fields that the generated API gains, loses or changes. Each list is sorted. */
export function findImpact(current: Snapshot, target: Snapshot): ApiImpact {
  const before = new Map(current.tables.map((table) => [table.name, table]));
  const after = new Map(target.tables.map((table) => [table.name, table]));
  const added: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  for (const table of target.tables) {
    const old = before.get(table.name);
    if (old === undefined) added.push(...listEndpoints(table));
    else compareTables(old, table, { added, removed, changed });
  }
  for (const table of current.tables) if (!after.has(table.name)) removed.push(...listEndpoints(table));
  return { added: added.sort(), removed: removed.sort(), changed: changed.sort(), usedBy: [] };
}

function listEndpoints(table: Table): string[] {
  const list = `/${table.path}`;
  const record = `${list}/{id}`;
  if (table.kind === 'view') return [`GET ${list}`];
  if (table.rowKey === null) return [`GET ${list}`, `POST ${list}`];
  return [
    `GET ${list}`,
    `POST ${list}`,
    `GET ${record}`,
    `PUT ${record}`,
    `PATCH ${record}`,
    `DELETE ${record}`,
  ];
}

function compareTables(
  old: Table,
  table: Table,
  lists: { added: string[]; removed: string[]; changed: string[] },
): void {
  const before = new Map(old.columns.map((column) => [column.name, column]));
  const after = new Set(table.columns.map((column) => column.name));
  for (const column of table.columns) {
    const known = before.get(column.name);
    if (known === undefined) lists.added.push(`${table.name}.${column.name}`);
    else if (describe(known) !== describe(column)) lists.changed.push(`${table.name}.${column.name}`);
  }
  for (const column of old.columns)
    if (!after.has(column.name)) lists.removed.push(`${table.name}.${column.name}`);
  const [oldNames, newNames] = [old, table].map(
    (entry) => new Set(entry.relationships.map((relationship) => relationship.name)),
  );
  for (const name of newNames ?? [])
    if (!oldNames?.has(name)) lists.added.push(`${table.name}?include=${name}`);
  for (const name of oldNames ?? [])
    if (!newNames?.has(name)) lists.removed.push(`${table.name}?include=${name}`);
  if (old.path !== table.path) {
    lists.removed.push(...listEndpoints(old));
    lists.added.push(...listEndpoints(table));
  }
}

/**
 * Returns a text that is equal for two columns if API callers see no difference between them. It does not
 * contain indexes and storage details.
 */
function describe(column: Column): string {
  return JSON.stringify([
    column.valueKind,
    column.sqlType,
    column.nullable,
    column.default.kind === 'none',
    column.autoIncrement,
    column.generated !== null,
    column.labels,
  ]);
}
