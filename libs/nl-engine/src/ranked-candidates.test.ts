import { describe, expect, it } from 'vitest';
import { RankedCandidates, type Candidate, type Source } from './ranked-candidates.js';
import type { Assignment } from './resolve/assign.js';

/** A way of a cost, whose statement costs more by `extra`. */
interface Told { readonly cost: number; readonly sql: string | null; readonly extra?: number }

interface Ranked { readonly candidates: RankedCandidates; readonly written: (string | null)[]; readonly goneInto: number[] }

/** Readings by their floors, each with its ways. */
function rankReadings(...readings: readonly (readonly [floor: number, ...told: readonly Told[]])[]): Ranked {
  const [written, goneInto]: [(string | null)[], number[]] = [[], []];
  const ways = new Map<Assignment, Told>();
  const sources = readings.map(([floor, ...told]): Source => ({ floor, list: () => { goneInto.push(floor); return told.map((one) => { const assignment = { cost: one.cost } as Assignment; ways.set(assignment, one); return assignment; }); } }));
  const write = (assignment: Assignment): Candidate | null => {
    const { sql = null, extra = 0 } = ways.get(assignment) ?? {};
    written.push(sql);
    return sql === null ? null : { sql, params: [], tieBreakers: [], cost: assignment.cost + extra, assignment };
  };
  return { candidates: new RankedCandidates(sources, write), written, goneInto };
}

const rank = (...told: readonly Told[]): Ranked => rankReadings([0, ...told]);
const list = ({ candidates }: Ranked): string[] => [...candidates].map(({ sql, cost }) => `${sql} ${cost}`);

describe('RankedCandidates', () => {
  it('has the cheapest statement first, whatever its way costs', () => {
    expect(list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'b' }, { cost: 0, sql: null }))).toEqual(['b 2', 'a 3']);
  });

  it('has each statement once, by its cheapest way', () => {
    expect(list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'a' }, { cost: 4, sql: 'a' }))).toEqual(['a 2']);
  });

  it('has, of statements that cost the same, the one first that a way comes to first, though that way costs more', () => {
    expect(list(rank({ cost: 1, sql: 'b' }, { cost: 1, sql: 'a' }, { cost: 0, sql: 'c', extra: 1 }))).toEqual(['b 1', 'a 1', 'c 1']);
    expect(list(rankReadings([3, { cost: 3, sql: 'b' }], [1, { cost: 1, sql: 'a' }, { cost: 1, sql: 'b' }]))).toEqual(['b 1', 'a 1']);
  });

  it('writes nothing that costs more than what was asked for', () => {
    const { candidates, written } = rank({ cost: 3, sql: 'd' }, { cost: 1, sql: 'a' }, { cost: 2, sql: 'b', extra: 0.5 }, { cost: 2.2, sql: 'c' });
    expect(candidates.at(0)?.sql).toBe('a');
    expect(written).toEqual(['a']);
    expect(candidates.at(1)?.sql).toBe('c');
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('goes into no reading whose floor is above what was asked for', () => {
    const { candidates, goneInto } = rankReadings([1, { cost: 2, sql: 'a' }], [2.5, { cost: 3, sql: 'c' }], [1.5, { cost: 1.8, sql: 'b' }]);
    expect(candidates.at(0)?.sql).toBe('b');
    expect(candidates.at(1)?.sql).toBe('a');
    expect(goneInto).toEqual([1, 1.5]);
    expect(candidates.at(2)?.sql).toBe('c');
    expect(goneInto).toEqual([1, 1.5, 2.5]);
  });

  it('ends where no statement is left, and can be read again', () => {
    const ranked = rank({ cost: 1, sql: 'a' });
    expect([ranked.candidates.at(0)?.sql, ranked.candidates.at(1), list(ranked), list(ranked)]).toEqual(['a', undefined, ['a 1'], ['a 1']]);
  });
});
