import { DatabaseFault, type PairedStatement, type RunPair, type RunStatement } from '@rowhouse/mysql';
import type { Plan, ResultSet, Statement, StatementProgram, StatementRound } from '@rowhouse/rest-engine';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { finishResults } from './finish-results.js';
import { guardRegex } from './guard-regex.js';
import { noteRejected } from './name-rejected.js';
import { noteFaultTable } from './plan-error.js';
import { createResultSink } from './result-sink.js';

/**
 * Called before each later statement of a plan. `run` uses the session that is already open, if any. Returns
 * null when the statement can run immediately.
 */
export type AdmitNext = (statement: Statement, run: RunStatement | null) => Promise<void> | null;

export interface RoundOptions {
  /** Runs a write and its read together. */
  readonly runPair: RunPair;
  readonly admitNext: AdmitNext | null;
  /** Awaited between slices of large rows. */
  readonly pause: () => Promise<void>;
}

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

/**
 * Returns whether these are a write of the request's own table and a read that does not depend on its result.
 */
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
      if (error instanceof DatabaseFault) noteRejected(error, write);
      throw error;
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
    if (error instanceof DatabaseFault) {
      noteRejected(error, statement);
      if (statement.table !== undefined) noteFaultTable(error, statement.table);
    }
    throw error;
  }
}

export function toPaired(statement: Statement, numbers: 'json' | 'string'): PairedStatement<ResultSet> {
  return {
    sql: statement.sql,
    values: statement.params,
    makeSink: () => createResultSink(statement, numbers),
  };
}
