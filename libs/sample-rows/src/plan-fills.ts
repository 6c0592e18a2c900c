import type { ForeignKey, Table } from '@rowhouse/schema-model';

/** One go at a table. A table of a circle is filled in two: rows whose keys stay open first, the others once there is what they point at. */
export interface Fill {
  readonly table: Table;
  readonly rows: number;
  /** Names of foreign keys that stay NULL in this go, since nothing stands yet that they could point at. */
  readonly openKeys: ReadonlySet<string>;
  /** Names of foreign keys of a table onto itself that may not be NULL: each row of this go points at itself. */
  readonly ownKeys: ReadonlySet<string>;
}

export interface FillPlan {
  readonly fills: readonly Fill[];
  /** Tables that wait for each other, with no key between them that may be NULL. */
  readonly circular: readonly Table[];
}

/** The part of a table's rows that come first, where some must. */
const FIRST_SHARE = 0.4;
const NONE: ReadonlySet<string> = new Set();

/** An order in which every key finds what it points at: tables that are pointed at first. Tables not in `tables` count as filled. */
export function planFills(tables: readonly Table[], rowsPerTable: number): FillPlan {
  const waiting = new Map([...tables].sort((a, b) => (a.name < b.name ? -1 : 1)).map((table) => [table.name, table]));
  const fills: Fill[] = [];
  /** Second goes, each behind the tables that its first go left open. */
  const later: { readonly fill: Fill; readonly needs: readonly string[] }[] = [];
  const pointsAtWaiting = (table: Table, key: ForeignKey): boolean => key.referencedTable !== table.name && waiting.has(key.referencedTable);

  while (waiting.size > 0) {
    const table = chooseNext([...waiting.values()], pointsAtWaiting);
    if (table === null) break;
    const open = table.foreignKeys.filter((key) => pointsAtWaiting(table, key));
    waiting.delete(table.name);
    const own = table.foreignKeys.filter((key) => key.referencedTable === table.name);
    if (open.length === 0 && own.length === 0) {
      fills.push({ table, rows: rowsPerTable, openKeys: NONE, ownKeys: NONE });
    } else {
      const first = Math.ceil(rowsPerTable * FIRST_SHARE);
      const openKeys = new Set([...open, ...own.filter((key) => isOptional(table, key))].map((key) => key.name));
      const ownKeys = new Set(own.filter((key) => !isOptional(table, key)).map((key) => key.name));
      fills.push({ table, rows: first, openKeys, ownKeys });
      later.push({ fill: { table, rows: rowsPerTable - first, openKeys: NONE, ownKeys: NONE }, needs: open.map((key) => key.referencedTable) });
    }
    takeReady(later, waiting, fills);
  }
  return { fills, circular: [...waiting.values()] };
}

/** A key is NULL as soon as one of its columns is. */
export function isOptional(table: Table, key: ForeignKey): boolean {
  return key.columns.some((name) => table.columns.find((column) => column.name === name)?.nullable === true);
}

/** One that waits for nobody; else one that can do without those it waits for. */
function chooseNext(tables: readonly Table[], pointsAtWaiting: (table: Table, key: ForeignKey) => boolean): Table | null {
  const free = tables.find((table) => !table.foreignKeys.some((key) => pointsAtWaiting(table, key)));
  return free ?? tables.find((table) => !table.foreignKeys.some((key) => pointsAtWaiting(table, key) && !isOptional(table, key))) ?? null;
}

function takeReady(later: { readonly fill: Fill; readonly needs: readonly string[] }[], waiting: ReadonlyMap<string, Table>, fills: Fill[]): void {
  for (let at = 0; at < later.length; ) {
    const entry = later[at];
    if (entry === undefined || entry.needs.some((name) => waiting.has(name))) at += 1;
    else {
      if (entry.fill.rows > 0) fills.push(entry.fill);
      later.splice(at, 1);
    }
  }
}
