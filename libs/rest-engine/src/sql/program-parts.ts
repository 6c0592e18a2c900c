import type { ResultSet } from '../response/result-set.js';
import type { StatementProgram, StatementRound } from './statement.js';

/** A sequence of rounds that is a program of its own or part of one. */
export type ProgramPart = Pick<StatementProgram, 'first' | 'next'>;

/**
 * Creates a part from the results of earlier parts, with one array for each part. Returns null for a part
 * without statements.
 */
export type MakePart = (done: readonly (readonly ResultSet[])[]) => ProgramPart | null;

/**
 * Returns the next round when `parts` run in sequence. It depends on `results` only, which are those of all
 * rounds so far, so the program can be restarted at any time.
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
