import { readFile } from 'node:fs/promises';
import type { AdminPool } from '@rowhouse/mysql';

// The control plane owns the platform's tables, and its built migrations are imported as data.
const CELL_MIGRATIONS = new URL('../../../control-plane/dist/platform-db/cell-migrations.js', import.meta.url)
  .href;
export const BLOG = new URL('../../../control-plane/src/starters/blog.sql', import.meta.url);

interface CellMigration {
  up(runner: { query(sql: string, values?: readonly string[]): Promise<unknown> }): Promise<void>;
}

/** Creates the platform's tables with their migrations. */
export async function createTables(pool: AdminPool): Promise<void> {
  const { CELL_MIGRATIONS: migrations } = (await import(CELL_MIGRATIONS)) as {
    CELL_MIGRATIONS: readonly (new () => CellMigration)[];
  };
  const query = (sql: string, values?: readonly string[]): Promise<unknown> =>
    sql.startsWith('SHOW ') ? pool.rows(sql, values) : pool.run(sql, values);
  for (const Migration of migrations) await new Migration().up({ query });
}

export async function readStatements(file: URL): Promise<string[]> {
  const text = (await readFile(file, 'utf8')).replace(/^--.*$/gm, '');
  return text
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

export function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
