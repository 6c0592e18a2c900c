import { inTime } from '@rowhouse/runtime';
import type { AdminSession } from './admin-session.js';

/** The server has not answered in time. To everybody who looks at errors, the connection was lost: it has been, by us. */
export class LateAnswer extends Error {
  readonly code = 'PROTOCOL_SEQUENCE_TIMEOUT';
  readonly fatal = true;
}

/**
 * A session whose statements reject when their answer is late. `drop` ends the connection then, since it still owes an
 * answer; the driver itself would never settle the promise.
 */
export function boundAnswers(session: AdminSession, timeoutMs: () => number, drop: () => void): AdminSession {
  const toFault = (): LateAnswer => {
    drop();
    return new LateAnswer('the database did not answer in time');
  };
  const bounded = <T>(statement: Promise<T>): Promise<T> => inTime(statement, timeoutMs(), toFault);
  return { rows: <T>(sql: string, values?: Parameters<AdminSession['rows']>[1]) => bounded(session.rows<T>(sql, values)), run: (sql, values) => bounded(session.run(sql, values)) };
}
