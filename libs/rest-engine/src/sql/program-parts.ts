import type { Statement, StatementProgram, StatementRound, ResultSet } from './statement.js';
import type { EngineKind } from '@rowhouse/schema-model';

/**
 * The SQL mode of the gateway's sessions, without the modes that reject dates with a month or day of zero.
 */
const MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** A sequence of rounds of statements. It is a complete program, or a part of one. */
export type ProgramPart = Pick<StatementProgram, 'first' | 'next'>;

/**
 * Creates a part of a program from the results of the earlier parts. `done` has one array of results for each
 * of these parts. Returns null if the part needs no statements.
 */
export type MakePart = (done: readonly (readonly ResultSet[])[]) => ProgramPart | null;

/**
 * Returns the next round of a program. Its `parts` run in sequence. `results` contains the results of all
 * rounds so far. The next round depends on nothing else, so a program can be resumed at any time.
 */
export function nextOfParts(
  parts: readonly MakePart[],
  results: readonly ResultSet[],
): StatementRound | null {
  const done: (readonly ResultSet[])[] = [];
  let index = 0;
  for (const makePart of parts) {
    const part = makePart(done);
    const start = index;
    let round: StatementRound | null = part?.first ?? null;
    while (part !== null && round !== null) {
      if (index >= results.length) return round;
      index += round.statements.length;
      round = part.next(results.slice(start, index));
    }
    done.push(results.slice(start, index));
  }
  return null;
}

/** Allows the writes of a round to store dates with a month or day of zero. */
export function allowZeroDates(round: StatementRound, engine: EngineKind): StatementRound {
  return { ...round, statements: round.statements.map((statement) => allowOn(statement, engine)) };
}

/** Allows one statement to store dates with a month or day of zero. */
export function allowOn(statement: Statement, engine: EngineKind): Statement {
  const [, word = '', rest = ''] = /^(INSERT|UPDATE) ([^]*)$/.exec(statement.sql) ?? [];
  if (word === '') return statement;
  const sql =
    engine === 'mysql'
      ? `${word} /*+ SET_VAR(sql_mode='${MODE}') */ ${rest}`
      : `SET STATEMENT sql_mode='${MODE}' FOR ${statement.sql}`;
  return { ...statement, sql };
}
