import { AppError } from '@rowhouse/errors';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { writeRowText } from '../transfer/row-text.js';
import type { MovedTable } from './move-run.js';
import { nameOf } from './move-names.js';

/** The maximum length of one INSERT in characters. It is far below the limit of any server. */
const INSERT_CHARS = 512 * 1024;

/**
 * Returns a SELECT statement that formats each row as the values of an INSERT. `where` refers to the table
 * without an alias.
 */
export function selectRows(table: MovedTable, where: string): string {
  return `SELECT ${writeRowText(table.columns)} AS t FROM ${nameOf(table)} WHERE ${where}`;
}

export function readText(table: MovedTable, text: string | null): string {
  if (text !== null) return text;
  throw new AppError('transfer.row_too_large', {
    detail: `A row of ${table.name} is larger than the database server accepts in one statement.`,
  });
}

/** Inserts rows with few statements. If a row with the same key already exists, it is the copied row. */
export class RowWriter {
  #parts: string[] = [];
  #chars = 0;
  readonly #head: string;
  readonly #tail: string;

  constructor(
    private readonly target: AdminConnection,
    table: MovedTable,
  ) {
    const [first] = table.columns;
    this.#head = `INSERT INTO ${nameOf(table)} (${table.columns.map((column) => quoteName(column.name)).join(', ')}) VALUES `;
    this.#tail =
      first === undefined || table.key === null
        ? ''
        : ` ON DUPLICATE KEY UPDATE ${quoteName(first.name)} = ${nameOf(table)}.${quoteName(first.name)}`;
  }

  async add(text: string): Promise<void> {
    if (this.#chars + text.length > INSERT_CHARS) await this.flush();
    this.#parts.push(`(${text})`);
    this.#chars += text.length;
  }

  async flush(): Promise<void> {
    if (this.#parts.length === 0) return;
    const sql = `${this.#head}${this.#parts.join(',')}${this.#tail}`;
    this.#parts = [];
    this.#chars = 0;
    await this.target.run(sql);
  }
}
