import type { DatabaseSettings } from '@rowhouse/contracts';
import { ownMember, type Column, type Snapshot, type Table } from '@rowhouse/schema-model';

export interface IndexableTable {
  readonly name: string;
  /** Of the primary key, in order; null: rows have no order to take samples by. */
  readonly primaryKey: readonly string[] | null;
  readonly columns: readonly IndexableColumn[];
}

export interface IndexableColumn {
  readonly name: string;
  /** An index begins with it and its values are short: the server can jump from value to value. */
  readonly canSkip: boolean;
}

/** Names of columns that hold secrets: their values are not collected even where nobody has said so. */
const SECRET_NAME = /pass(word|wd|phrase|code)|(^|_)(pwd|pin|otp|cvv|cvc|ssn|iban|salt|jwt|hash)(_|$)|secret(?!ar)|token|api_?key|private_?key|credential|credit_?card|card_?(number|no)/i;
const TEXT_TYPES: ReadonlySet<string> = new Set(['char', 'varchar', 'tinytext', 'text']);
const SKIP_LENGTH_MAX = 255;

/** Text columns of tables (not of views, whose reading may cost anything), without those that are hidden, opted out or secrets by their name. */
export function listIndexable(snapshot: Snapshot, settings: Pick<DatabaseSettings, 'hidden_columns' | 'unindexed_columns'>): IndexableTable[] {
  return snapshot.tables
    .filter((table) => table.kind === 'table')
    .map((table) => {
      const left = new Set([settings.hidden_columns, settings.unindexed_columns].flatMap((columns) => ownMember(columns, table.name) ?? []));
      const columns = table.columns.filter((column) => isText(column) && !left.has(column.name) && !SECRET_NAME.test(column.name));
      return { name: table.name, primaryKey: table.primaryKey, columns: columns.map((column) => ({ name: column.name, canSkip: canSkip(table, column) })) };
    })
    .filter((table) => table.columns.length > 0);
}

function isText(column: Column): boolean {
  return column.valueKind === 'string' && TEXT_TYPES.has(column.type) && column.generated !== 'virtual' && !column.invisible;
}

function canSkip(table: Table, column: Column): boolean {
  if (column.maxLength === null || column.maxLength > SKIP_LENGTH_MAX || column.type.endsWith('text')) return false;
  return table.indexes.some((index) => index.kind === 'btree' && index.columns[0]?.name === column.name && index.columns[0].prefixLength === null);
}
