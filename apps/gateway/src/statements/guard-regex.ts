import { AppError, TIMEOUT_NUMBERS } from '@rowhouse/errors';
import { collectRows, ConnectionLostError, DatabaseFault, type RunStatement } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';

/** The time limit of a statement with a regular expression. */
const REGEX_MS_MAX = 1_000;
/**
 * The numbers of warnings after which a result may lack matches: the expression took too many steps on a
 * value (1139), or the server examined too many rows (1931).
 */
const INCOMPLETE_WARNINGS = new Set(['1139', '1931']);
/** The number of warnings that a server retains. With this many, the relevant one may have been dropped. */
const WARNINGS_RETAINED = 64;

/**
 * Returns a `run` function for statements with regular expressions. It limits their time, and rejects a
 * result in which the server skipped values with a warning.
 */
export function guardRegex(run: RunStatement, regexFaults: EngineCapabilities['regexFaults']): RunStatement {
  return async (sql, values, sink) => {
    let result;
    try {
      result = await run(sql, values, sink, REGEX_MS_MAX);
    } catch (error) {
      throw isTimeout(error) ? tooSlow(error) : error;
    }
    if (regexFaults !== 'raised') await checkWarnings(run);
    return result;
  };
}

async function checkWarnings(run: RunStatement): Promise<void> {
  const { rows } = (await run('SHOW WARNINGS', [], collectRows({ bytesMax: 1_000_000 }))).rows;
  const isIncomplete =
    rows.length >= WARNINGS_RETAINED || rows.some((row) => INCOMPLETE_WARNINGS.has(String(row[1])));
  if (!isIncomplete) return;
  throw new AppError('params.invalid', {
    faults: [
      {
        loc: ['query'],
        msg: 'The regular expression needs too many steps to match a value.',
        type: 'regex_cost',
      },
    ],
    hint: HINT,
    internal: JSON.stringify(rows[0]),
  });
}

const HINT = 'Anchor it (^), avoid nested repetitions, or add other filters.';

function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionLostError
    ? error.isTimeout
    : error instanceof DatabaseFault && TIMEOUT_NUMBERS.has(error.errno);
}

function tooSlow(cause: unknown): AppError {
  return new AppError('db.timeout', {
    detail: `The regular expression took longer than ${REGEX_MS_MAX / 1_000} s.`,
    hint: HINT,
    cause,
  });
}
