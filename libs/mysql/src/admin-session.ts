import { quoteLongTexts } from './quote-long-texts.js';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

/** What a worker binds. Anything that is no scalar is refused by the type, since the driver would expand it. */
export type AdminValue = string | number | bigint | Buffer | null;
export type AdminRow = Readonly<Record<string, unknown>>;

/** Statements on a pool or inside one transaction of it. */
export interface AdminSession {
  rows<T = AdminRow>(sql: string, values?: readonly AdminValue[]): Promise<T[]>;
  /** For statements that return no rows: how many were changed. */
  run(sql: string, values?: readonly AdminValue[]): Promise<{ affectedRows: number; insertId: number }>;
}

/** Statements over one connection or over a pool. */
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
