import type { Table } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';

/**
 * A name in the order of creation. `missing` contains names that it needs but that come later, because the
 * names form a cycle.
 */
interface OrderedItem {
  readonly name: string;
  readonly missing: readonly string[];
}

export interface CreateOrder {
  readonly tables: readonly Table[];
  /**
   * Foreign keys that close a cycle of tables. They are added at the end, because the referenced table does
   * not exist earlier.
   */
  readonly lateKeys: readonly {
    readonly table: string;
    readonly name: string;
    readonly definition: string;
  }[];
}

/**
 * Orders tables so that each comes after the tables to which it refers. Otherwise, tables are sorted by name.
 * Views are not included.
 */
export function orderTables(tables: readonly Table[]): CreateOrder {
  const byName = new Map(
    tables.filter((table) => table.kind === 'table').map((table) => [table.name, table]),
  );
  const ordered: Table[] = [];
  const lateKeys: CreateOrder['lateKeys'][number][] = [];
  // In a cycle, the first table by name is created without the foreign keys whose target does not exist yet.
  for (const { name, missing } of placeInRounds(
    new Map(
      [...byName].map(([own, table]) => [own, new Set(table.foreignKeys.map((key) => key.referencedTable))]),
    ),
  )) {
    const table = byName.get(name);
    if (table === undefined) continue;
    ordered.push(table);
    for (const key of table.foreignKeys)
      if (missing.includes(key.referencedTable))
        lateKeys.push({ table: name, name: key.name, definition: key.definition });
  }
  return { tables: ordered, lateKeys };
}

/**
 * Orders views so that each comes after the views that its text names. The server writes all names in this
 * text in backquotes.
 */
export function orderViews(views: readonly Table[]): Table[] {
  const byName = new Map(views.map((view) => [view.name, view]));
  const odd = [...byName.keys()].filter((name) => name.includes('`'));
  const needs = new Map(
    views.map((view) => [
      view.name,
      new Set([
        ...view.createSql.split('`').slice(1, -1),
        ...odd.filter((name) => view.createSql.includes(quoteName(name))),
      ]),
    ]),
  );
  return placeInRounds(needs).flatMap(({ name }) => byName.get(name) ?? []);
}

/** Returns the CREATE TABLE statement of a table without the given foreign keys. */
export function createWithout(table: Table, keyNames: ReadonlySet<string>): string {
  let text = table.createSql;
  for (const key of table.foreignKeys) {
    if (keyNames.has(key.name)) text = text.replace(`,\n  ${key.definition}`, () => '');
  }
  return text;
}

/**
 * Orders names so that each comes after the names that it needs. Names that become available at the same time
 * are sorted. In a cycle, the first name by sort order comes before names that it needs. Needed names that
 * are not in the map are ignored. Apart from sorting, the time is linear in the number of names and needs.
 */
export function placeInRounds(needs: ReadonlyMap<string, ReadonlySet<string>>): OrderedItem[] {
  const names = [...needs.keys()].sort();
  const left = new Map(
    names.map((name) => [
      name,
      new Set([...(needs.get(name) ?? [])].filter((other) => other !== name && needs.has(other))),
    ]),
  );
  const waitingFor = groupByNeed(left);
  const placed: OrderedItem[] = [];
  const done = new Set<string>();
  let free = names.filter((name) => left.get(name)?.size === 0);
  for (let first = 0; placed.length < names.length;) {
    while (done.has(names[first] ?? '')) first += 1;
    const round = free.length > 0 ? free : [names[first] ?? ''];
    for (const name of round) {
      placed.push({ name, missing: [...(left.get(name) ?? [])] });
      done.add(name);
    }
    free = round
      .flatMap((name) =>
        (waitingFor.get(name) ?? []).filter(
          (other) =>
            !done.has(other) && left.get(other)?.delete(name) === true && left.get(other)?.size === 0,
        ),
      )
      .sort();
  }
  return placed;
}

function groupByNeed(
  needs: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, others] of needs) {
    for (const other of others) {
      const group = groups.get(other);
      if (group === undefined) groups.set(other, [name]);
      else group.push(name);
    }
  }
  return groups;
}
