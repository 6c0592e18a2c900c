import { describe, expect, it } from 'vitest';
import { RankedCandidates, type Candidate, type InterpretationSource } from './ranked-candidates.js';
import type { Assignment } from './resolve/assignment.js';

/** An assignment with its cost. The cost of its statement is higher by `extra`. */
interface TestAssignment {
  readonly cost: number;
  readonly sql: string | null;
  readonly extra?: number;
}

interface Ranked {
  readonly candidates: RankedCandidates;
  readonly written: (string | null)[];
  readonly expanded: number[];
}

/** Creates a ranking of interpretations from their lower bounds and their assignments. */
function rankInterpretations(
  ...interpretations: readonly (readonly [lowerBound: number, ...ways: readonly TestAssignment[]])[]
): Ranked {
  const [written, expanded]: [(string | null)[], number[]] = [[], []];
  const methods = new Map<Assignment, TestAssignment>();
  const sources = interpretations.map(([lowerBound, ...result]): InterpretationSource => ({
    lowerBound,
    listAssignments: () => {
      expanded.push(lowerBound);
      return result.map((testWay) => {
        const assignment = { cost: testWay.cost } as Assignment;
        methods.set(assignment, testWay);
        return assignment;
      });
    },
  }));
  const write = (assignment: Assignment): Candidate | null => {
    const { sql = null, extra = 0 } = methods.get(assignment) ?? {};
    written.push(sql);
    return sql === null
      ? null
      : { sql, params: [], tieBreakers: [], cost: assignment.cost + extra, assignment };
  };
  return { candidates: new RankedCandidates(sources, write), written, expanded };
}

const rank = (...result: readonly TestAssignment[]): Ranked => rankInterpretations([0, ...result]);
const list = ({ candidates }: Ranked): string[] => [...candidates].map(({ sql, cost }) => `${sql} ${cost}`);

describe('RankedCandidates', () => {
  it('RankedCandidates returns the cheapest statement first, whatever its assignment costs', () => {
    expect(
      list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'b' }, { cost: 0, sql: null })),
    ).toEqual(['b 2', 'a 3']);
  });

  it('RankedCandidates returns each statement once with its cheapest assignment', () => {
    expect(list(rank({ cost: 1, sql: 'a', extra: 2 }, { cost: 2, sql: 'a' }, { cost: 4, sql: 'a' }))).toEqual(
      ['a 2'],
    );
  });

  it('statements of equal cost keep the order in which any assignment reaches them', () => {
    expect(list(rank({ cost: 1, sql: 'b' }, { cost: 1, sql: 'a' }, { cost: 0, sql: 'c', extra: 1 }))).toEqual(
      ['b 1', 'a 1', 'c 1'],
    );
    expect(
      list(
        rankInterpretations([3, { cost: 3, sql: 'b' }], [1, { cost: 1, sql: 'a' }, { cost: 1, sql: 'b' }]),
      ),
    ).toEqual(['b 1', 'a 1']);
  });

  it('no statement above the requested cost is written', () => {
    const { candidates, written } = rank(
      { cost: 3, sql: 'd' },
      { cost: 1, sql: 'a' },
      { cost: 2, sql: 'b', extra: 0.5 },
      { cost: 2.2, sql: 'c' },
    );
    expect(candidates.at(0)?.sql).toBe('a');
    expect(written).toEqual(['a']);
    expect(candidates.at(1)?.sql).toBe('c');
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('no interpretation with a lower bound above the requested cost is expanded', () => {
    const { candidates, expanded } = rankInterpretations(
      [1, { cost: 2, sql: 'a' }],
      [2.5, { cost: 3, sql: 'c' }],
      [1.5, { cost: 1.8, sql: 'b' }],
    );
    expect(candidates.at(0)?.sql).toBe('b');
    expect(candidates.at(1)?.sql).toBe('a');
    expect(expanded).toEqual([1, 1.5]);
    expect(candidates.at(2)?.sql).toBe('c');
    expect(expanded).toEqual([1, 1.5, 2.5]);
  });

  it('RankedCandidates ends after the last statement and can be iterated again', () => {
    const ranked = rank({ cost: 1, sql: 'a' });
    expect([ranked.candidates.at(0)?.sql, ranked.candidates.at(1), list(ranked), list(ranked)]).toEqual([
      'a',
      undefined,
      ['a 1'],
      ['a 1'],
    ]);
  });
});
