import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { RenameHint } from '../types.js';

/**
 * Suggests renames for pairs of a dropped and an added object with equal definitions. A suggestion is never
 * applied without confirmation. Each name is in at most one pair. If several objects match, none of them is
 * suggested.
 *
 * @param current the schema after the requested renames
 */
export function suggestRenames(current: Snapshot, target: Snapshot): RenameHint[] {
  const tables = pairUp(removedTables(current, target), removedTables(target, current), columnsText).map(
    ([from, to]): RenameHint => ({ kind: 'table', from: from.name, to: to.name }),
  );
  const before = new Map(
    current.tables.filter((table) => table.kind === 'table').map((table) => [table.name, table]),
  );
  const columns = target.tables.flatMap((table): RenameHint[] => {
    const old = before.get(table.name);
    if (old === undefined || table.kind !== 'table') return [];
    const [removed, come] = [without(old, table), without(table, old)];
    return pairUp(removed, come, (column) => column.definition).map(([from, to]) => ({
      kind: 'column',
      table: table.name,
      from: from.name,
      to: to.name,
    }));
  });
  return [...tables, ...columns];
}

function removedTables(these: Snapshot, others: Snapshot): Table[] {
  const known = new Set(others.tables.map((table) => table.name));
  return these.tables.filter((table) => table.kind === 'table' && !known.has(table.name));
}

function without(table: Table, other: Table): Column[] {
  const known = new Set(other.columns.map((column) => column.name));
  return table.columns.filter((column) => !known.has(column.name));
}

function columnsText(table: Table): string {
  return JSON.stringify(table.columns.map((column) => [column.name, column.definition]));
}

/** Pairs entries with the same text, if this text occurs exactly once on each side. */
function pairUp<T>(removed: readonly T[], come: readonly T[], toText: (item: T) => string): [T, T][] {
  const [from, to] = [groupByText(removed, toText), groupByText(come, toText)];
  return [...from].flatMap(([text, all]): [T, T][] => {
    const [[item, ...more], [other, ...others]] = [all, to.get(text) ?? []];
    return item === undefined || other === undefined || more.length > 0 || others.length > 0
      ? []
      : [[item, other]];
  });
}

function groupByText<T>(items: readonly T[], toText: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const text = toText(item);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [item]);
    else group.push(item);
  }
  return groups;
}
