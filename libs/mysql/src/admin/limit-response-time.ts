import { inTime } from '@rowhouse/runtime';
import type { AdminSession } from './admin-session.js';

/**
 * The server did not respond in time. Error handling treats it as connection loss, because the connection was
 * closed.
 */
export class ResponseTimeoutError extends Error {
  readonly code = 'PROTOCOL_SEQUENCE_TIMEOUT';
  readonly fatal = true;
}

/**
 * Returns a session whose statements reject when their response is late. It then calls `drop` to end the
 * connection, which still owes a response. The driver itself would never settle the promise.
 */
export function limitResponseTime(
  session: AdminSession,
  timeoutMs: () => number,
  drop: () => void,
): AdminSession {
  const toFault = (): ResponseTimeoutError => {
    drop();
    return new ResponseTimeoutError('the database did not answer in time');
  };
  const bounded = <T>(statement: Promise<T>): Promise<T> => inTime(statement, timeoutMs(), toFault);
  return {
    rows: <T>(sql: string, values?: Parameters<AdminSession['rows']>[1]) =>
      bounded(session.rows<T>(sql, values)),
    run: (sql, values) => bounded(session.run(sql, values)),
  };
}
