import { describe, expect, it } from 'vitest';
import { BOUNDS, isDoubtful, isTrusted, scoreCandidate } from './score-candidate.js';

describe('scoreCandidate', () => {
  it("a statement's score falls with its cost and with the closeness of the next statement", () => {
    expect(scoreCandidate({ cost: 0.2 })).toBeGreaterThan(scoreCandidate({ cost: 1.2, costly: 0.5 }));
    expect(scoreCandidate({ near: 0 })).toBeGreaterThan(scoreCandidate({ near: 0.5 }));
  });

  it('isTrusted accepts a statement with a low cost unless a feature disqualifies it', () => {
    const plain = { cost: 0, margin: 1.5 };
    expect(isTrusted(plain)).toBe(true);
    for (const doubt of ['untouched', 'asksOnlyKnown', 'unsaidSort', 'eachLimited'])
      expect(isDoubtful({ ...plain, [doubt]: 1 })).toBe(true);
    expect(isTrusted({ ...plain, near: 0.5, margin: 0 })).toBe(false);
  });
});

it('isDoubtful rejects a statement for one or two words if its cost is high or it counts values', () => {
  const sure = { margin: 1.5, cost: 0.5 };
  expect(isDoubtful({ ...sure, explained: 1 })).toBe(false);
  expect(isDoubtful({ ...sure, explained: 1, cost: 1.5 })).toBe(true);
  expect(isDoubtful({ ...sure, explained: 2, cost: 1.5 })).toBe(true);
  expect(isDoubtful({ ...sure, explained: 3, cost: 1.5 })).toBe(false);
  expect(isDoubtful({ ...sure, explained: 1, countsValues: 1 })).toBe(true);
});

it('isDoubtful accepts an unmatched verb with groups only in a statement over one table', () => {
  const sure = { margin: 1.5, cost: 0, explained: 3, groups: 1, looseVerbs: 1 };
  expect(isDoubtful({ ...sure, ways: 0 })).toBe(false);
  expect(isDoubtful({ ...sure, ways: 1 })).toBe(true);
});

it('isDoubtful requires a higher score when the statement explains few words', () => {
  const fair = { margin: 1.5, cost: 0.9, costly: 0.2, groups: 1 };
  expect(scoreCandidate(fair)).toBeGreaterThan(0.77);
  expect(scoreCandidate(fair)).toBeLessThan(0.86);
  expect(isDoubtful({ ...fair, explained: 3 })).toBe(false);
  expect(isDoubtful({ ...fair, explained: 2 })).toBe(true);
  expect(isDoubtful({ ...fair, explained: 5, passedTables: 1 })).toBe(true);
  expect(isDoubtful({ margin: 1.5, cost: 0, explained: 5, passedTables: 1 })).toBe(false);
});

it('isDoubtful requires a higher score for columns of other rows or of distant tables', () => {
  const fair = { margin: 1.5, cost: 0.7, explained: 3 };
  expect(scoreCandidate({ ...fair, joinedShown: 1 })).toBeGreaterThan(0.86);
  expect(isDoubtful({ ...fair, joinedShown: 1 })).toBe(false);
  expect(scoreCandidate({ ...fair, joinedShown: 1, unknown: 5 })).toBeGreaterThan(0.77);
  expect(scoreCandidate({ ...fair, joinedShown: 1, unknown: 5 })).toBeLessThan(0.86);
  expect(isDoubtful({ ...fair, joinedShown: 1, unknown: 5 })).toBe(true);
  expect(isDoubtful({ ...fair, cost: 0, longPaths: 1, unreliablePaths: 1 })).toBe(false);
  expect(isDoubtful({ ...fair, groups: 1, longPaths: 1, unreliablePaths: 1 })).toBe(true);
  expect(isDoubtful({ ...fair, groups: 1, longPaths: 1, unreliablePaths: 0 })).toBe(false);
});

it('isDoubtful returns true for a statement with a feature of unreliable returned columns', () => {
  for (const slip of [
    ...'skippedNouns sameShown countsOfNamedRow partialFullNames ownNumbers plainTotals codeGroups'.split(
      ' ',
    ),
    ...'unmatchedShown mixedNumbers ignoredOwnColumns coarseTimes bareKeys keyNumbers numberTexts'.split(' '),
    ...'sharedOr'.split(' '),
  ])
    expect(isDoubtful({ cost: 0, margin: 1.5, explained: 5, [slip]: 1 })).toBe(true);
  expect(isDoubtful({ cost: 0, margin: 1.5, explained: 5 })).toBe(false);
});

it('isDoubtful rejects a statement with a feature that marks a misreading', () => {
  for (const doubt of 'everythingAndColumn groupsSummed ownCounts rankEnds titles heldTotals codeShown cutOff'.split(
    ' ',
  ))
    expect(isDoubtful({ cost: 0, margin: 1.5, explained: 5, [doubt]: 1 })).toBe(true);
  expect(isDoubtful({ cost: 0, margin: 1.5, explained: 1, partKinds: 1 })).toBe(true);
  expect(isDoubtful({ cost: 0, margin: 1.5, explained: 2, partKinds: 1 })).toBe(false);
});

it('isDoubtful requires a higher score if several foreign keys match and no value is quoted', () => {
  const fair = { margin: 1.5, cost: 0.9, costly: 0.2, groups: 1, explained: 3 };
  expect(scoreCandidate(fair)).toBeLessThan(0.86);
  expect(isDoubtful({ ...fair, ambiguousPaths: 1 })).toBe(true);
  expect(isDoubtful({ ...fair, ambiguousPaths: 1 }, { ...BOUNDS, waysMin: 0 })).toBe(false);
  expect(isDoubtful({ margin: 1.5, cost: 0, explained: 3, ambiguousPaths: 1 })).toBe(false);
});

it('isDoubtful accepts a statement with a high cost when it explains many words', () => {
  const target = { margin: 1.5, cost: 2, costly: 1.3, tableCost: 1.2, linkMax: 0.7 };
  expect(scoreCandidate(target)).toBeGreaterThan(0.8);
  expect(isDoubtful({ ...target, explained: 4 })).toBe(false);
  expect(isDoubtful({ ...target, explained: 3 })).toBe(true);
  expect(isDoubtful({ ...target, explained: 4, cost: 2.4 })).toBe(true);
});

it('isTrusted accepts a lower score for simple counts and sums', () => {
  const low = { margin: 1.5, cost: 1.5, costly: 0.8, groups: 1, explained: 4 };
  expect(scoreCandidate(low)).toBeLessThan(BOUNDS.scoreMin);
  expect(scoreCandidate(low)).toBeGreaterThan(0.6);
  expect([
    isTrusted(low),
    isTrusted({ ...low, counts: 1, ways: 1 }),
    isTrusted({ ...low, sums: 1, ways: 0 }),
  ]).toEqual([false, true, true]);
  expect([
    isTrusted({ ...low, counts: 1, ways: 2 }),
    isTrusted({ ...low, counts: 1, ways: 0 }),
    isTrusted({ ...low, counts: 1, ways: 1, joinedShown: 1 }),
  ]).toEqual([false, false, false]);
});
