import { UNKNOWN_COLUMN } from '@rowhouse/errors';
import type { AdminSession } from './admin-session.js';
import { readServerFault } from './admin-session.js';

/**
 * MariaDB 10.11.19 cannot rename a column of a check constraint while the table is open. It resolves the
 * column with the table alias of the last query, fails with error 1054 "Unknown column 'a' in 'CHECK'", and
 * changes nothing.
 */
const IN_CHECK = / in 'CHECK'$/;

/**
 * The maximum number of attempts. Several are needed, because a query may open the table again before the
 * ALTER runs.
 */
const ATTEMPTS_MAX = 20;

const NAME = '(?:`(?:[^`]|``)+`|[\\w$]+)';
const ALTER = new RegExp(
  `^\\s*ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(${NAME}(?:\\s*\\.\\s*${NAME})?)\\s`,
  'i',
);

/**
 * Returns a session that repeats an ALTER that failed with this error. Before each repetition, it makes the
 * server close the table.
 */
export function reopenRenamed(session: AdminSession): AdminSession {
  return {
    rows: (sql, values) => session.rows(sql, values),
    async run(sql, values) {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await session.run(sql, values);
        } catch (error) {
          const table = isRenamedInCheck(error) ? ALTER.exec(sql)?.[1] : undefined;
          if (table === undefined || attempts === ATTEMPTS_MAX) throw error;
          // ENABLE KEYS changes nothing in InnoDB, but the server closes the table as for any other ALTER.
          await session.run(`ALTER TABLE ${table} ENABLE KEYS`);
        }
      }
    },
  };
}

function isRenamedInCheck(error: unknown): boolean {
  const fault = readServerFault(error);
  return fault !== null && fault.errno === UNKNOWN_COLUMN && IN_CHECK.test(fault.message);
}
