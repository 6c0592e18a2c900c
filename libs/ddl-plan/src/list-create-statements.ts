import type { Snapshot } from '@rowhouse/schema-model';
import { createWithout, orderTables, orderViews } from './diff/create-order.js';
import { alterTable } from './sql-text.js';

const NONE: ReadonlySet<string> = new Set();

export interface CreateObject {
  readonly object: 'table' | 'view' | 'trigger' | 'procedure' | 'function';
  readonly name: string;
  readonly sql: string;
}

/**
 * Returns the complete schema as SQL statements without semicolons. In this order, they can be run in an
 * empty database of the same engine.
 */
export function listCreateStatements(snapshot: Snapshot): string[] {
  return listCreateObjects(snapshot).map(({ sql }) => sql);
}

/**
 * Returns the statements of `listCreateStatements`, each with the object that it creates. A foreign key that
 * closes a cycle belongs to its table.
 */
export function listCreateObjects(snapshot: Snapshot): CreateObject[] {
  const { tables, lateKeys } = orderTables(snapshot.tables);
  const objects: CreateObject[] = (snapshot.routines ?? []).map(({ kind, name, createSql }) => ({
    object: kind,
    name,
    sql: createSql,
  }));
  const late = new Map<string, Set<string>>();
  for (const key of lateKeys) late.set(key.table, (late.get(key.table) ?? new Set()).add(key.name));
  for (const table of tables)
    objects.push({
      object: 'table',
      name: table.name,
      sql: createWithout(table, late.get(table.name) ?? NONE),
    });
  for (const key of lateKeys) {
    const sql = alterTable(key.table, [`ADD ${key.definition}`]);
    if (sql !== null) objects.push({ object: 'table', name: key.table, sql });
  }
  const views = orderViews(snapshot.tables.filter((table) => table.kind === 'view'));
  for (const { name, createSql } of views) objects.push({ object: 'view', name, sql: createSql });
  for (const trigger of tables.flatMap((table) => table.triggers ?? []))
    objects.push({ object: 'trigger', name: trigger.name, sql: trigger.createSql });
  return objects;
}
