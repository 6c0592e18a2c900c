import type { AdminSession, AdminValue } from '@rowhouse/mysql';
import { toMarks, toRowMarks } from '../sql-values.js';

/** The counters for one database in one minute, which one gateway has summed. */
export interface UsageRow {
  readonly databaseId: string;
  /** The start of the minute in UTC, in the form `YYYY-MM-DD HH:MM:00`. */
  readonly minute: string;
  readonly requests: number;
  readonly errors: number;
  readonly limited: number;
  readonly rowsOut: number;
  readonly bytesOut: number;
  readonly durationUs: number;
}

/**
 * The number of requests that one API key sent to one route, such as `GET /posts/{id}`, as counted by one
 * gateway. The day is that of the platform database.
 */
export interface KeyUseRow {
  readonly databaseId: string;
  readonly keyId: string;
  readonly route: string;
  readonly requests: number;
}

export interface RequestLogRow {
  readonly databaseId: string;
  /** The time in UTC, in the form `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly at: string;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly durationUs: number;
  readonly rowsOut: number;
  /** The columns that a slow list used. Null for other requests. */
  readonly shape: string | null;
}

/**
 * The functions with which a gateway reports telemetry. Each call sends one statement, or none for an empty
 * list.
 */
export interface GatewayTelemetry {
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  addKeyUse(rows: readonly KeyUseRow[]): Promise<void>;
  /** Adds rows to the request log. */
  append(rows: readonly RequestLogRow[]): Promise<void>;
  /** Sets the time of the last use of the API keys to the current time. */
  touchKeys(keyIds: readonly string[]): Promise<void>;
}

export function createGatewayTelemetry(pool: AdminSession, cellId: string): GatewayTelemetry {
  return {
    async addUsage(rows) {
      if (rows.length === 0) return;
      const values = rows.flatMap((row): AdminValue[] => [
        cellId,
        row.databaseId,
        row.minute,
        row.requests,
        row.errors,
        row.limited,
        row.rowsOut,
        row.bytesOut,
        Math.round(row.durationUs),
      ]);
      await pool.run(
        `INSERT INTO usage_minute (cell_id, database_id, minute, requests, errors, limited, rows_out, bytes_out, duration_us)
         VALUES ${toRowMarks(rows, toMarks(9))}
         ON DUPLICATE KEY UPDATE requests = requests + VALUES(requests), errors = errors + VALUES(errors), limited = limited + VALUES(limited),
           rows_out = rows_out + VALUES(rows_out), bytes_out = bytes_out + VALUES(bytes_out), duration_us = duration_us + VALUES(duration_us)`,
        values,
      );
    },
    async addKeyUse(rows) {
      if (rows.length === 0) return;
      await pool.run(
        `INSERT INTO key_use_day (cell_id, database_id, key_id, day, route, requests, last_at)
         VALUES ${toRowMarks(rows, '?,?,?,UTC_DATE(),?,?,UTC_TIMESTAMP()')}
         ON DUPLICATE KEY UPDATE requests = requests + VALUES(requests), last_at = VALUES(last_at)`,
        rows.flatMap((row): AdminValue[] => [
          cellId,
          row.databaseId,
          row.keyId,
          row.route.slice(0, 200),
          row.requests,
        ]),
      );
    },
    async append(rows) {
      if (rows.length === 0) return;
      const values = rows.flatMap((row): AdminValue[] => [
        cellId,
        row.databaseId,
        row.at,
        row.requestId,
        row.keyId,
        row.method,
        row.route,
        row.status,
        row.code,
        Math.round(row.durationUs),
        row.rowsOut,
        row.shape,
      ]);
      await pool.run(
        `INSERT INTO request_log (cell_id, database_id, at, request_id, key_id, method, route, status, code, duration_us, rows_out, shape)
         VALUES ${toRowMarks(rows, toMarks(12))}`,
        values,
      );
    },
    async touchKeys(keyIds) {
      if (keyIds.length === 0) return;
      await pool.run(
        `UPDATE api_key SET last_used_at = UTC_TIMESTAMP(3) WHERE id IN (${toMarks(keyIds.length)})`,
        [...keyIds],
      );
    },
  };
}
