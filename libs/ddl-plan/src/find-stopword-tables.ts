import type { Snapshot, Table } from '@rowhouse/schema-model';

/**
 * Finds tables that can be used as stopword tables after a change. Any account of a server can name such a
 * table in `innodb_ft_user_stopword_table` without the right to read it. A full-text index of that account
 * then ignores the words in the table's rows, which reveals them. Both engines accept every table whose first
 * column that is not virtual is a VARCHAR with the exact name `value`.
 *
 * @param before the schema whose stopword tables are ignored; null when the schema is new
 */
export function findStopwordTables(before: Snapshot | null, after: Snapshot): string[] {
  const known = new Set(before === null ? [] : listStopwordTables(before));
  return listStopwordTables(after).filter((name) => !known.has(name));
}

function listStopwordTables({ tables }: Snapshot): string[] {
  return tables.filter(isStopwordTable).map(({ name }) => name);
}

function isStopwordTable({ kind, columns }: Table): boolean {
  const first = columns.find(({ generated }) => generated !== 'virtual');
  return kind === 'table' && first?.name === 'value' && first.type === 'varchar';
}
