import type { PairedStatement, RunPair, RunStatement } from '@rowhouse/mysql';
import type { Plan, ResultSet, Statement, StatementProgram, StatementRound } from '@rowhouse/rest-engine';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { finishResults } from './finish-results.js';
import { guardRegex } from './guard-regex.js';
import { toRejected } from './rejected-statement.js';
import { createResultSink } from './result-sink.js';

/**
 * Checks the cost of a later statement of a plan before it runs. `run` is bound to the session that is
 * already open, or null. Returns null when the statement can run immediately.
 */
export type AdmitNext = (statement: Statement, run: RunStatement | null) => Promise<void> | null;

export interface RoundOptions {
  /** Runs a write and its read together. */
  readonly runPair: RunPair;
  readonly admitNext: AdmitNext | null;
  /** Awaited between slices of large rows. */
  readonly pause: () => Promise<void>;
}

/**
 * Runs the statements of a plan on an open session, round by round.
 *
 * @throws RejectedStatementError when the server rejects a statement
 */
export async function runRounds(
  run: RunStatement,
  plan: Plan,
  program: StatementProgram,
  { regexFaults }: Pick<EngineCapabilities, 'regexFaults'>,
  { runPair, admitNext, pause }: RoundOptions,
): Promise<readonly ResultSet[]> {
  const { numbers } = plan.preferences;
  const bounded = plan.hasRegex === true ? guardRegex(run, regexFaults) : run;
  const results: ResultSet[] = [];
  let round: StatementRound | null = program.first;
  while (round !== null) {
    const { statements } = round;
    for (let index = 0; index < statements.length; index += 1) {
      const [first, second] = [statements[index] as Statement, statements[index + 1]];
      if (first.counted !== undefined) await admitNext?.(first, run);
      if (second !== undefined && plan.hasRegex !== true && isPair(first, second)) {
        results.push(...(await runBoth(runPair, first, second, numbers)));
        index += 1;
      } else results.push(await runOne(bounded, first, numbers));
      const finishing = finishResults(results.slice(-2), pause);
      if (finishing !== null) await finishing;
    }
    round = program.next(results);
  }
  return results;
}

/** Returns whether the statements are a write of the request's own table and the read of its record. */
function isPair(write: Statement, read: Statement): boolean {
  return (
    write.role.kind === 'write' &&
    read.role.kind === 'records' &&
    write.table === undefined &&
    read.table === undefined
  );
}

async function runBoth(
  runPair: RunPair,
  write: Statement,
  read: Statement,
  numbers: 'json' | 'string',
): Promise<readonly ResultSet[]> {
  const [written, record] = await runPair(toPaired(write, numbers), toPaired(read, numbers)).catch(
    (error: unknown) => {
      throw toRejected(error, write);
    },
  );
  return [written.rows, record.rows];
}

async function runOne(
  run: RunStatement,
  statement: Statement,
  numbers: 'json' | 'string',
): Promise<ResultSet> {
  try {
    return (await run(statement.sql, statement.params, createResultSink(statement, numbers))).rows;
  } catch (error) {
    throw toRejected(error, statement);
  }
}

export function toPaired(statement: Statement, numbers: 'json' | 'string'): PairedStatement<ResultSet> {
  return {
    sql: statement.sql,
    values: statement.params,
    makeSink: () => createResultSink(statement, numbers),
  };
}
