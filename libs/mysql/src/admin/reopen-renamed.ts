import { UNKNOWN_COLUMN } from '@rowhouse/errors';
import type { AdminSession } from './admin-session.js';
import { readServerFault } from './admin-session.js';

/**
 * MariaDB 10.11.19 renames columns in the check constraints of an open table. It resolves them with the alias
 * of the last query, fails with 1054 "Unknown column 'a' in 'CHECK'", and changes nothing.
 */
const IN_CHECK = / in 'CHECK'$/;

/** The maximum number of attempts, because a query may open the table again before the ALTER runs. */
const ATTEMPTS_MAX = 20;

const NAME = '(?:`(?:[^`]|``)+`|[\\w$]+)';
const ALTER = new RegExp(
  `^\\s*ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(${NAME}(?:\\s*\\.\\s*${NAME})?)\\s`,
  'i',
);

/** Returns a session that repeats an ALTER with this error after it made the server close the table. */
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
          // This ALTER changes nothing in InnoDB, but closes the table like any other.
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
