import { expect, it } from 'vitest';
import { diffLines, foldDiff } from './code-changes.js';

it('the code comparison distinguishes added and removed lines from unchanged ones', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc\nd')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
    { kind: 'added', text: 'd' },
  ]);
  expect(diffLines('', 'a')).toEqual([{ kind: 'added', text: 'a' }]);
  expect(diffLines('a', 'a')).toEqual([{ kind: 'same', text: 'a' }]);
});

it('the code comparison folds lines far from a change', () => {
  const before = Array.from({ length: 20 }, (_, index) => String(index));
  const folded = foldDiff(diffLines(before.join('\n'), before.with(10, 'x').join('\n')), 1);
  expect(folded.map((line) => (line === null ? null : `${line.kind} ${line.text}`))).toEqual([
    null,
    'same 9',
    'removed 10',
    'added x',
    'same 11',
    null,
  ]);
});
