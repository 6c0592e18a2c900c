import { quoteName } from '@rowhouse/mysql';
import { formatKey } from './key-text.js';
import type { MovedTable } from './move-details.js';
import { captureName, nameOf } from './move-names.js';

/**
 * Returns triggers that record each written row in the writer's own transaction. They record its key, not its
 * values, since the current row is fetched later. `ledger` is qualified and quoted.
 */
export function listMoveTriggers(table: MovedTable, ledger: string): { name: string; sql: string }[] {
  const make = (
    event: 'd' | 'u' | 'i',
    words: string,
    body: readonly string[],
  ): { name: string; sql: string } => {
    const name = captureName(table.no, event);
    return {
      name,
      sql: `CREATE TRIGGER ${quoteName(table.schema)}.${quoteName(name)} AFTER ${words} ON ${nameOf(table)} FOR EACH ROW\nBEGIN\n${body.map((line) => `  ${line}\n`).join('')}END`,
    };
  };
  const note = (side: 'OLD' | 'NEW', referenced: string): string =>
    `INSERT INTO ${ledger} (table_no, key_text, referenced) VALUES (${table.no}, ${table.key === null ? 'NULL' : formatKey(table.key, `${side}.`)}, ${referenced});`;
  const moved = [note('OLD', formatReferenced(table, 'OLD')), note('NEW', formatReferenced(table, 'NEW'))];
  return [
    make('d', 'DELETE', [note('OLD', formatReferenced(table, 'OLD'))]),
    make(
      'u',
      'UPDATE',
      table.key === null
        ? [note('NEW', 'NULL')]
        : [
            `IF ${hasOtherKeys(table)} THEN`,
            ...moved.map((line) => `  ${line}`),
            'ELSE',
            `  ${note('NEW', 'NULL')}`,
            'END IF;',
          ],
    ),
    make('i', 'INSERT', [note('NEW', 'NULL')]),
  ];
}

/**
 * Returns the SQL for the columns that cascading keys reference, before or after the write, as
 * one text per set of columns.
 */
function formatReferenced({ referenced }: MovedTable, side: 'OLD' | 'NEW'): string {
  return referenced.length === 0
    ? 'NULL'
    : `CONCAT_WS('|', ${referenced.map((set) => formatKey(set.columns, `${side}.`)).join(', ')})`;
}

/** Compares bytes, since collations treat different keys as equal and cascades do not. */
function hasOtherKeys(table: MovedTable): string {
  const names = new Set(
    [...(table.key ?? []), ...table.referenced.flatMap((set) => set.columns)].map((column) => column.from),
  );
  const equal = [...names].map(
    (name) => `CAST(NEW.${quoteName(name)} AS BINARY) <=> CAST(OLD.${quoteName(name)} AS BINARY)`,
  );
  return `NOT (${equal.join(' AND ')})`;
}
