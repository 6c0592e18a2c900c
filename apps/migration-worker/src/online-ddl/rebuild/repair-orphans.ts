import { quoteName } from '@rowhouse/mysql';
import type { Run } from '../run-state.js';
import type { LateKey, RebuildDetails } from '@rowhouse/platform-store';

const ROUNDS_MAX = 10_000;
const ROWS_PER_ROUND = 200;

/**
 * Repairs rows that reference missing rows, after a late key was added. Before the key existed, cascades of
 * deleted rows did not reach these rows. They now get the change that the cascade would have made.
 */
export async function repairOrphans(run: Run, details: RebuildDetails): Promise<void> {
  for (const key of details.innerKeys) {
    const table = details.members[key.at]?.details.table;
    if (key.late === null || table === undefined) continue;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const values = await findOrphans(run, table, key.late);
      if (values.length === 0) break;
      run.ctx.logger.info(
        { migration: run.migration.id, rows: values.length },
        'rows that a cascade had passed by were repaired',
      );
      await repair(run, table, key.late, values);
    }
  }
}

async function findOrphans(
  run: Run,
  table: string,
  { columns, referencedColumns }: LateKey,
): Promise<string[][]> {
  const reads = columns.map((name, index) => `c.${quoteName(name)} AS v${index}`).join(', ');
  const joined = columns
    .map((name, index) => `p.${quoteName(referencedColumns[index] ?? '')} = c.${quoteName(name)}`)
    .join(' AND ');
  const present = columns.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
  const rows = await run.connection.rows<Record<string, string>>(
    `SELECT DISTINCT ${reads} FROM ${quoteName(table)} c LEFT JOIN ${quoteName(table)} p ON ${joined} WHERE ${present} AND p.${quoteName(referencedColumns[0] ?? '')} IS NULL LIMIT ${ROWS_PER_ROUND}`,
  );
  return rows.map((row) => columns.map((_name, index) => row[`v${index}`] ?? ''));
}

async function repair(
  run: Run,
  table: string,
  { action, columns }: LateKey,
  values: readonly string[][],
): Promise<void> {
  const where = columns.map((name) => `${quoteName(name)} = ?`).join(' AND ');
  const sql =
    action === 'CASCADE'
      ? `DELETE FROM ${quoteName(table)} WHERE ${where}`
      : `UPDATE ${quoteName(table)} SET ${columns.map((name) => `${quoteName(name)} = NULL`).join(', ')} WHERE ${where}`;
  for (const value of values) await run.connection.run(sql, value);
}
