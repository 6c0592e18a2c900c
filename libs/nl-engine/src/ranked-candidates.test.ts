import { describe, expect, it } from 'vitest';
import { RankedCandidates, type Candidate } from './ranked-candidates.js';
import type { Assignment } from './resolve/assign.js';

/** A way of a cost, whose statement costs more by `extra`. */
interface Told { readonly cost: number; readonly sql: string | null; readonly extra?: number }

function rank(...told: readonly Told[]): { readonly candidates: RankedCandidates; readonly written: (string | null)[] } {
  const written: (string | null)[] = [];
  const ways = new Map(told.map((one) => [{ cost: one.cost } as Assignment, one]));
  const write = (assignment: Assignment): Candidate | null => {
    const { sql = null, extra = 0 } = ways.get(assignment) ?? {};
    written.push(sql);
    return sql === null ? null : { sql, params: [], tieBreakers: [], cost: assignment.cost + extra, assignment };
  };
  return { candidates: new RankedCandidates([...ways.keys()], write), written };
}

const list = (candidates: RankedCandidates): string[] => [...candidates].map(({ sql, cost }) => `${sql} ${cost}`);

describe('RankedCandidates', () => {
  it('has the cheapest statement first, whatever its way costs', () => {
    expect(list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'b' }, { cost: 0, sql: null }).candidates)).toEqual(['b 2', 'a 3']);
  });

  it('has each statement once, by its cheapest way', () => {
    expect(list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'a' }, { cost: 4, sql: 'a' }).candidates)).toEqual(['a 2']);
  });

  it('keeps the order of ways that cost the same', () => {
    expect(list(rank({ cost: 1, sql: 'b' }, { cost: 1, sql: 'a' }, { cost: 0, sql: 'c', extra: 1 }).candidates)).toEqual(['b 1', 'a 1', 'c 1']);
  });

  it('writes nothing that costs more than what was asked for', () => {
    const { candidates, written } = rank({ cost: 3, sql: 'd' }, { cost: 1, sql: 'a' }, { cost: 2, sql: 'b', extra: 0.5 }, { cost: 2.2, sql: 'c' });
    expect(candidates.at(0)?.sql).toBe('a');
    expect(written).toEqual(['a']);
    expect(candidates.at(1)?.sql).toBe('c');
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('ends where no statement is left, and can be read again', () => {
    const { candidates } = rank({ cost: 1, sql: 'a' });
    expect([candidates.at(0)?.sql, candidates.at(1), list(candidates), list(candidates)]).toEqual(['a', undefined, ['a 1'], ['a 1']]);
  });
});
