import type { DatabaseSettings } from '@rowhouse/contracts';
import { ownMember, type Column, type Snapshot, type Table } from '@rowhouse/schema-model';

export interface IndexableTable {
  readonly name: string;
  /** The columns of the primary key, in order. Null when rows have no order for sampling. */
  readonly primaryKey: readonly string[] | null;
  readonly columns: readonly IndexableColumn[];
}

export interface IndexableColumn {
  readonly name: string;
  /**
   * Whether an index starts with the column and its values are short, so that the server
   * can skip from value to value.
   */
  readonly canSkip: boolean;
}

/**
 * Matches names of columns that contain secrets. Their values are never collected, even if no user has hidden
 * the columns.
 */
const SECRET_NAME =
  /pass(word|wd|phrase|code)|(^|_)(pwd|pin|otp|cvv|cvc|ssn|iban|salt|jwt|hash)(_|$)|secret(?!ar)|token|api_?key|private_?key|credential|credit_?card|card_?(number|no)/i;
const TEXT_TYPES: ReadonlySet<string> = new Set(['char', 'varchar', 'tinytext', 'text']);
const SKIP_LENGTH_MAX = 255;

/**
 * Lists text columns of tables. Views are omitted, because reading them may be expensive. Columns that are
 * hidden, opted out or secret by name are also omitted.
 */
export function listIndexable(
  snapshot: Snapshot,
  settings: Pick<DatabaseSettings, 'hidden_columns' | 'unindexed_columns'>,
): IndexableTable[] {
  return snapshot.tables
    .filter((table) => table.kind === 'table')
    .map((table) => {
      const left = new Set(
        [settings.hidden_columns, settings.unindexed_columns].flatMap(
          (columns) => ownMember(columns, table.name) ?? [],
        ),
      );
      const columns = table.columns.filter(
        (column) => isText(column) && !left.has(column.name) && !SECRET_NAME.test(column.name),
      );
      return {
        name: table.name,
        primaryKey: table.primaryKey,
        columns: columns.map((column) => ({ name: column.name, canSkip: canSkip(table, column) })),
      };
    })
    .filter((table) => table.columns.length > 0);
}

function isText(column: Column): boolean {
  return (
    column.valueKind === 'string' &&
    TEXT_TYPES.has(column.type) &&
    column.generated !== 'virtual' &&
    !column.invisible
  );
}

function canSkip(table: Table, column: Column): boolean {
  if (column.maxLength === null || column.maxLength > SKIP_LENGTH_MAX || column.type.endsWith('text'))
    return false;
  return table.indexes.some(
    (index) =>
      index.kind === 'btree' &&
      index.columns[0]?.name === column.name &&
      index.columns[0].prefixLength === null,
  );
}
