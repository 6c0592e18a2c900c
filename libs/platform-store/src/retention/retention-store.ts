import type { AdminPool } from '@rowhouse/mysql';
import { toMarks } from '../sql-values.js';

/** Deletes telemetry that is older than the retention period in the plan of its database. */
export interface RetentionStore {
  /**
   * Deletes at most `rowsMax` rows of the request log that are older than `days` days, for databases with
   * this plan. `after` is the position at which the last call ended. If `plan` is null, rows of unknown
   * databases are deleted. Returns null if there are no more rows.
   */
  purgeRequestLog(plan: string | null, days: number, after: string, rowsMax: number): Promise<Purged>;
  purgeUsage(plan: string | null, days: number, after: string, rowsMax: number): Promise<Purged>;
}

export interface Purged {
  readonly rows: number;
  /**
   * The time of the last deleted row. All earlier rows for the plan are deleted. Null if no row was found.
   */
  readonly through: string | null;
}

/** A time before that of any row. */
export const THE_BEGINNING = '1970-01-01 00:00:00.000';

interface LogKey {
  readonly id: number | string;
  readonly at: string;
}

interface UsageKey {
  readonly database_id: string;
  readonly minute: string;
}

export function createRetentionStore(pool: AdminPool, cellId: string): RetentionStore {
  const ofPlan = (
    alias: string,
    plan: string | null,
  ): { readonly join: string; readonly values: readonly string[] } =>
    plan === null
      ? { join: `LEFT JOIN tenant_database d ON d.id = ${alias}.database_id WHERE d.id IS NULL`, values: [] }
      : { join: `JOIN tenant_database d ON d.id = ${alias}.database_id WHERE d.plan = ?`, values: [plan] };
  return {
    async purgeRequestLog(plan, days, after, rowsMax) {
      const { join, values } = ofPlan('r', plan);
      const rows = await pool.rows<LogKey>(
        `SELECT r.id, CAST(r.at AS CHAR) AS at FROM request_log r ${join} AND r.cell_id = ? AND r.at >= ? AND r.at < UTC_TIMESTAMP(3) - INTERVAL ? DAY ORDER BY r.at LIMIT ?`,
        [...values, cellId, after, days, rowsMax],
      );
      if (rows.length > 0)
        await pool.run(
          `DELETE FROM request_log WHERE id IN (${toMarks(rows.length)})`,
          rows.map((row) => row.id),
        );
      return { rows: rows.length, through: rows.at(-1)?.at ?? null };
    },
    async purgeUsage(plan, days, after, rowsMax) {
      const { join, values } = ofPlan('u', plan);
      const rows = await pool.rows<UsageKey>(
        `SELECT u.database_id, CAST(u.minute AS CHAR) AS minute FROM usage_minute u ${join} AND u.cell_id = ? AND u.minute >= ? AND u.minute < UTC_TIMESTAMP() - INTERVAL ? DAY ORDER BY u.minute LIMIT ?`,
        [...values, cellId, after, days, rowsMax],
      );
      if (rows.length > 0) {
        await pool.run(
          `DELETE FROM usage_minute WHERE cell_id = ? AND (${rows.map(() => '(database_id = ? AND minute = ?)').join(' OR ')})`,
          [cellId, ...rows.flatMap((row) => [row.database_id, row.minute])],
        );
      }
      return { rows: rows.length, through: rows.at(-1)?.minute ?? null };
    },
  };
}
