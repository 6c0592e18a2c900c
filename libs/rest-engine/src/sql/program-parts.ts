import type { ResultSet } from '../response/result-set.js';
import type { StatementProgram, StatementRound } from './statement.js';

/** Rounds that belong together: a program in itself, or a piece of one. */
export type ProgramPart = Pick<StatementProgram, 'first' | 'next'>;

/** Makes a part from the results of those before it, each part's in an array of its own; null: nothing to do. */
export type MakePart = (done: readonly (readonly ResultSet[])[]) => ProgramPart | null;

/**
 * What is to be run next when `parts` run one after the other. Depends on `results` alone, which are those of all rounds
 * so far, so that the program may begin anew at any time.
 */
export function nextOfParts(parts: readonly MakePart[], results: readonly ResultSet[]): StatementRound | null {
  const done: (readonly ResultSet[])[] = [];
  let at = 0;
  for (const makePart of parts) {
    const part = makePart(done);
    const start = at;
    let round: StatementRound | null = part?.first ?? null;
    while (part !== null && round !== null) {
      if (at >= results.length) return round;
      at += round.statements.length;
      round = part.next(results.slice(start, at));
    }
    done.push(results.slice(start, at));
  }
  return null;
}
