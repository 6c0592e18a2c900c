import { quoteLongTexts } from '../introspect/quote-long-texts.js';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

/** A bound value. The type excludes objects and arrays, because the driver would expand them. */
export type AdminValue = string | number | bigint | Buffer | null;
export type AdminRow = Readonly<Record<string, unknown>>;

/** Runs statements on a pool, or inside one of its transactions. */
export interface AdminSession {
  rows<T = AdminRow>(sql: string, values?: readonly AdminValue[]): Promise<T[]>;
  /** Runs a statement without result rows, and returns how many rows it changed. */
  run(sql: string, values?: readonly AdminValue[]): Promise<{ affectedRows: number; insertId: number }>;
}

/** Wraps a connection or a pool. */
export function toAdminSession(connection: Pick<Connection, 'query'>): AdminSession {
  return {
    async rows<T>(sql: string, values: readonly AdminValue[] = []): Promise<T[]> {
      const [rows] = await connection.query<RowDataPacket[]>(sql, quoteLongTexts(values));
      return rows as unknown as T[];
    },
    async run(sql, values = []) {
      const [result] = await connection.query<ResultSetHeader>(sql, quoteLongTexts(values));
      return { affectedRows: result.affectedRows ?? 0, insertId: result.insertId ?? 0 };
    },
  };
}
