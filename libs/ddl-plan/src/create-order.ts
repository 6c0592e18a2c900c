import type { Table } from '@rowhouse/schema-model';
import { quoteName } from './sql-text.js';

export interface CreateOrder {
  readonly tables: readonly Table[];
  /** Foreign keys that close a circle: the referenced table comes later, so they are added at the end. */
  readonly lateKeys: readonly { readonly table: string; readonly name: string; readonly definition: string }[];
}

/** Tables so that each comes behind those that it references, names deciding between equals. Views are left out. */
export function orderTables(tables: readonly Table[]): CreateOrder {
  const waiting = new Map(tables.filter((table) => table.kind === 'table').map((table) => [table.name, table]));
  const known = new Set(waiting.keys());
  const ordered: Table[] = [];
  const lateKeys: CreateOrder['lateKeys'][number][] = [];
  while (waiting.size > 0) {
    const names = [...waiting.keys()].sort();
    const free = names.filter((name) => waitsFor(waiting.get(name), waiting).length === 0);
    // In a circle the first by name goes ahead without the keys that it would wait for.
    const next = free.length > 0 ? free : names.slice(0, 1);
    for (const name of next) {
      const table = waiting.get(name);
      if (table === undefined) continue;
      const blocked = new Set(free.length > 0 ? [] : waitsFor(table, waiting));
      for (const key of table.foreignKeys) {
        if (blocked.has(key.referencedTable) && known.has(key.referencedTable)) lateKeys.push({ table: name, name: key.name, definition: key.definition });
      }
      ordered.push(table);
    }
    for (const name of next) waiting.delete(name);
  }
  return { tables: ordered, lateKeys };
}

function waitsFor(table: Table | undefined, waiting: ReadonlyMap<string, Table>): string[] {
  return (table?.foreignKeys ?? []).map((key) => key.referencedTable).filter((name) => name !== table?.name && waiting.has(name));
}

/** Views so that each comes behind the views that its text names. The server writes every name in backquotes. */
export function orderViews(views: readonly Table[]): Table[] {
  const waiting = new Map([...views].sort((a, b) => (a.name < b.name ? -1 : 1)).map((view) => [view.name, view]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter((view) => ![...waiting.keys()].some((name) => name !== view.name && namesObject(view.createSql, name)));
    const next = free.length > 0 ? free : [...waiting.values()].slice(0, 1);
    for (const view of next) {
      ordered.push(view);
      waiting.delete(view.name);
    }
  }
  return ordered;
}

function namesObject(createSql: string, name: string): boolean {
  return createSql.includes(quoteName(name));
}

/** CREATE TABLE without the given foreign keys. */
export function createWithout(table: Table, keyNames: ReadonlySet<string>): string {
  let text = table.createSql;
  for (const key of table.foreignKeys) {
    if (keyNames.has(key.name)) text = text.replace(`,\n  ${key.definition}`, () => '');
  }
  return text;
}
