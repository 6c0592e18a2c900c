import { expect, it } from 'vitest';
import { diffSnapshots } from './diff-snapshots.js';
import { lineageOfHints } from '../lineage/lineage.js';
import { makeSnapshot, makeTable } from '../testing/make-schema.js';

const suggest = (from: readonly string[], to: readonly string[], name = 't') =>
  diffSnapshots(makeSnapshot(makeTable('t', from)), makeSnapshot(makeTable(name, to))).possibleRenames;

it('suggestRenames pairs a drop and an addition of equal definitions', () => {
  expect(suggest(['id int', 'title varchar(9)'], ['id int', 'headline varchar(9)'])).toEqual([
    { kind: 'column', table: 't', from: 'title', to: 'headline' },
  ]);
  expect(suggest(['id int'], ['id int'], 'other')).toEqual([{ kind: 'table', from: 't', to: 'other' }]);
});
it('suggestRenames ignores ambiguous and unmatched names', () => {
  expect(suggest(['id int', 'a varchar(9)', 'b varchar(9)'], ['id int', 'c varchar(9)'])).toEqual([]);
  expect(suggest(['id int', 'a varchar(9)'], ['id int', 'c varchar(9)', 'd varchar(9)'])).toEqual([]);
  expect(suggest(['id int', 'a varchar(9)'], ['id int', 'a2 varchar(8)'])).toEqual([]);
});
it('suggestRenames ignores renames that are already requested', () => {
  const [from, to] = [makeSnapshot(makeTable('t', ['a int'])), makeSnapshot(makeTable('t', ['b int']))];
  const diff = diffSnapshots(
    from,
    to,
    lineageOfHints(from, to, [
      { kind: 'column', table: 't', from: 'a', to: 'b' },
      { kind: 'column', table: 't', from: 'x', to: 'y' },
    ]),
  );
  expect([diff.possibleRenames, diff.hints]).toEqual([
    [],
    [{ kind: 'column', table: 't', from: 'a', to: 'b' }],
  ]);
});
