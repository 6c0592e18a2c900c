import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { isTinyBoolean, ownMember, type RawTable } from '@rowhouse/schema-model';

type ColumnsByTable = Readonly<Record<string, readonly string[]>>;

/**
 * Describes TINYINT(1) columns that contain numbers other than 0 and 1, with one note each. Columns in the
 * setting `number_columns` are numbers to clients and need no note.
 */
export async function findBooleanNumbers(
  connection: AdminConnection,
  tables: readonly Pick<RawTable, 'name' | 'kind' | 'columns'>[],
  numberColumns: ColumnsByTable,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { name, kind, columns } of tables) {
    const known = ownMember(numberColumns, name) ?? [];
    const booleans = columns
      .filter((column) => kind === 'table' && isTinyBoolean(column) && !known.includes(column.name))
      .map((column) => column.name);
    const counts = booleans.length === 0 ? [] : await countNumbers(connection, name, booleans);
    for (const [index, rows] of counts.entries())
      if (rows > 0) notes.push(writeNote(`${name}.${booleans[index] ?? ''}`, rows));
  }
  return notes;
}

function writeNote(column: string, rows: number): string {
  return (
    `${column} is TINYINT(1), but has numbers other than 0 and 1 (rows: ${rows}). The data API ` +
    'reads them as true, and a program that writes the value back stores 1. To keep numbers, add ' +
    'the column to the setting number_columns.'
  );
}

/**
 * Returns one count per column. Returns an empty list when the server stops the query, because a missing note
 * must not fail the import.
 */
async function countNumbers(
  connection: AdminConnection,
  table: string,
  columns: readonly string[],
): Promise<number[]> {
  const sums = columns
    .map((column, index) => `COALESCE(SUM(${quoteName(column)} NOT IN (0, 1)), 0) AS c${index}`)
    .join(', ');
  try {
    const [row] = await connection.rows<Record<string, number | string>>(
      `SELECT ${sums} FROM ${quoteName(table)}`,
    );
    return columns.map((_column, index) => Number(row?.[`c${index}`] ?? 0));
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    return [];
  }
}
