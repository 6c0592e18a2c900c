import type { LinkedQuestion } from '../link/linked-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import type { ColumnPhrase } from './nouns/column-phrases.js';
import type { Parsed } from './reader.js';

const KEY_FOR_ROWS_COST = 0.5;

/**
 * Returns the extra cost of reading a table name such as
 * `the musicals` as the foreign key `musical_id` instead of its rows.
 */
export function costOfTableKey(
  q: LinkedQuestion,
  { value: column, position: to }: Parsed<ColumnPhrase>,
): number {
  const tables = (q.tables[column.position] ?? [])
    .filter((span) => span.to === to)
    .flatMap((span) => span.links.filter((link) => link.cost < 0.3).map((link) => link.table.name));
  const isKey =
    tables.length > 0 &&
    column.links.every(
      (link) =>
        isNumeric(link.column) &&
        link.table.foreignKeys.some(
          (key) => key.columns.includes(link.column.name) && tables.includes(key.referencedTable),
        ),
    );
  return isKey ? KEY_FOR_ROWS_COST : 0;
}
