import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { RenameHint } from './types.js';

/**
 * What may have been meant as a rename and reads as a drop and an addition: pairs whose definitions are alike. They are
 * asked about, never made unasked. Each name stands in one pair at most; where several fit, none is suggested.
 *
 * @param current once the renames that were asked for are done
 */
export function suggestRenames(current: Snapshot, target: Snapshot): RenameHint[] {
  const tables = pairUp(goneTables(current, target), goneTables(target, current), isSameTable).map(([from, to]): RenameHint => ({ kind: 'table', from: from.name, to: to.name }));
  const columns = target.tables.flatMap((table): RenameHint[] => {
    const old = current.tables.find((entry) => entry.name === table.name && entry.kind === 'table');
    if (old === undefined || table.kind !== 'table') return [];
    const [gone, come] = [without(old, table), without(table, old)];
    return pairUp(gone, come, (a, b) => a.definition === b.definition).map(([from, to]) => ({ kind: 'column', table: table.name, from: from.name, to: to.name }));
  });
  return [...tables, ...columns];
}

function goneTables(these: Snapshot, others: Snapshot): Table[] {
  return these.tables.filter((table) => table.kind === 'table' && !others.tables.some((other) => other.name === table.name));
}

function without(table: Table, other: Table): Column[] {
  return table.columns.filter((column) => !other.columns.some((entry) => entry.name === column.name));
}

function isSameTable(a: Table, b: Table): boolean {
  const text = (table: Table): string => JSON.stringify(table.columns.map((column) => [column.name, column.definition]));
  return text(a) === text(b);
}

function pairUp<T>(gone: readonly T[], come: readonly T[], isAlike: (a: T, b: T) => boolean): [T, T][] {
  return gone.flatMap((from): [T, T][] => {
    const fits = come.filter((to) => isAlike(from, to));
    const [only] = fits;
    return only === undefined || fits.length > 1 || gone.filter((other) => isAlike(other, only)).length > 1 ? [] : [[from, only]];
  });
}
