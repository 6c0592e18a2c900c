import { AppError, numbersOfKind } from '@rowhouse/errors';
import { collectRows, ConnectionLostError, DatabaseFault, type RunStatement } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';

/** The time limit of a statement with a regular expression. */
const REGEX_MS_MAX = 1_000;
/**
 * The expression took too many steps on a value, or the server examined too many rows. The result does not
 * contain all matches.
 */
const GIVEN_UP_NUMBERS = new Set(['1139', '1931']);
/**
 * The number of warnings that a server retains. If there are more, the relevant one may have been dropped.
 */
const WARNINGS_RETAINED = 64;
const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/**
 * Limits the time of statements with regular expressions. A match that the server silently gave up on is an
 * error.
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
  const isGivenUp =
    rows.length >= WARNINGS_RETAINED || rows.some((row) => GIVEN_UP_NUMBERS.has(String(row[1])));
  if (!isGivenUp) return;
  throw new AppError('params.invalid', {
    faults: [
      {
        loc: ['query'],
        msg: 'The regular expression takes too many steps on a value.',
        type: 'regex_cost',
      },
    ],
    hint: HINT,
    internal: JSON.stringify(rows[0]),
  });
}

const HINT = 'Anchor it (^), avoid repetitions inside repetitions, or narrow the records with other filters.';

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
