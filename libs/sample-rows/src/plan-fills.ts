import type { ForeignKey, Table } from '@rowhouse/schema-model';

/**
 * One pass in which rows are inserted into a table. If tables form a cycle, a table is filled in two passes.
 * The first inserts rows whose foreign keys are NULL, and the second inserts the other rows when the rows
 * that they refer to exist.
 */
export interface Fill {
  readonly table: Table;
  readonly rows: number;
  /**
   * The names of the foreign keys that are NULL in this pass, because the rows to refer to do not exist yet.
   */
  readonly openKeys: ReadonlySet<string>;
  /**
   * The names of foreign keys that refer to their own table and are NOT NULL. Each row of this pass refers to
   * itself.
   */
  readonly ownKeys: ReadonlySet<string>;
}

export interface FillPlan {
  readonly fills: readonly Fill[];
  /** Tables that depend on each other by foreign keys that are all NOT NULL. */
  readonly circular: readonly Table[];
}

/** The fraction of a table's rows that the first of two passes inserts. */
const FIRST_SHARE = 0.4;
const NONE: ReadonlySet<string> = new Set();

/**
 * Orders tables so that rows exist before foreign keys refer to them. Tables that are not in `tables` are
 * considered filled.
 */
export function planFills(tables: readonly Table[], rowsPerTable: number): FillPlan {
  const waiting = new Map(
    [...tables].sort((a, b) => (a.name < b.name ? -1 : 1)).map((table) => [table.name, table]),
  );
  const fills: Fill[] = [];
  /** The second passes. Each has the names of tables that must be filled before it. */
  const later: { readonly fill: Fill; readonly needs: readonly string[] }[] = [];
  const pointsAtWaiting = (table: Table, key: ForeignKey): boolean =>
    key.referencedTable !== table.name && waiting.has(key.referencedTable);

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
      const openKeys = new Set(
        [...open, ...own.filter((key) => isOptional(table, key))].map((key) => key.name),
      );
      const ownKeys = new Set(own.filter((key) => !isOptional(table, key)).map((key) => key.name));
      fills.push({ table, rows: first, openKeys, ownKeys });
      later.push({
        fill: { table, rows: rowsPerTable - first, openKeys: NONE, ownKeys: NONE },
        needs: open.map((key) => key.referencedTable),
      });
    }
    takeReady(later, waiting, fills);
  }
  return { fills, circular: [...waiting.values()] };
}

/** Reports whether the foreign key may be NULL, which requires only one nullable column. */
export function isOptional(table: Table, key: ForeignKey): boolean {
  return key.columns.some((name) => table.columns.find((column) => column.name === name)?.nullable === true);
}

/**
 * Returns a table whose foreign keys refer to no waiting table. If no such table exists, returns one whose
 * foreign keys to waiting tables may be NULL.
 */
function chooseNext(
  tables: readonly Table[],
  pointsAtWaiting: (table: Table, key: ForeignKey) => boolean,
): Table | null {
  const free = tables.find((table) => !table.foreignKeys.some((key) => pointsAtWaiting(table, key)));
  return (
    free ??
    tables.find(
      (table) => !table.foreignKeys.some((key) => pointsAtWaiting(table, key) && !isOptional(table, key)),
    ) ??
    null
  );
}

function takeReady(
  later: { readonly fill: Fill; readonly needs: readonly string[] }[],
  waiting: ReadonlyMap<string, Table>,
  fills: Fill[],
): void {
  for (let index = 0; index < later.length;) {
    const entry = later[index];
    if (entry === undefined || entry.needs.some((name) => waiting.has(name))) index += 1;
    else {
      if (entry.fill.rows > 0) fills.push(entry.fill);
      later.splice(index, 1);
    }
  }
}
