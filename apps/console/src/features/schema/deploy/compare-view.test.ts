import { describe, expect, it } from 'vitest';
import { diffLines, diffSchemaText } from './compare-view.js';

describe('diffSchemaText', () => {
  const posts = 'CREATE TABLE `posts` (\n  `id` int,\n  `title` text\n);\n';
  const users = 'CREATE TABLE `users` (\n  `id` int\n);\n';

  it('a schema comparison omits an unchanged statement', () => {
    expect(diffSchemaText(`${posts}\n${users}`, `${posts}\n${users}`)).toEqual([]);
  });

  it('a schema comparison shows a changed statement line by line', () => {
    const [change, ...rest] = diffSchemaText(
      `${posts}\n${users}`,
      `${posts.replace('`title` text', '`headline` text')}\n${users}`,
    );
    expect(rest).toEqual([]);
    expect(change).toEqual({
      title: 'CREATE TABLE `posts`',
      lines: [
        { kind: 'same', text: 'CREATE TABLE `posts` (' },
        { kind: 'same', text: '  `id` int,' },
        { kind: 'removed', text: '  `title` text' },
        { kind: 'added', text: '  `headline` text' },
        { kind: 'same', text: ');' },
      ],
    });
  });

  it('a schema comparison shows added and removed statements as a whole', () => {
    expect(
      diffSchemaText(posts, users).map((entry) => [
        entry.title,
        new Set(entry.lines.map((line) => line.kind)),
      ]),
    ).toEqual([
      ['CREATE TABLE `posts`', new Set(['removed'])],
      ['CREATE TABLE `users`', new Set(['added'])],
    ]);
  });
});

it('a schema comparison contains every line of both sides', () => {
  const lines = diffLines(['a', 'b', 'c'], ['b', 'x', 'c', 'd']);
  expect(lines.filter((line) => line.kind !== 'added').map((line) => line.text)).toEqual(['a', 'b', 'c']);
  expect(lines.filter((line) => line.kind !== 'removed').map((line) => line.text)).toEqual([
    'b',
    'x',
    'c',
    'd',
  ]);
});

it('a comparison of two long texts ignores their common ends and stays within a limit', () => {
  const common = Array.from({ length: 20_000 }, (_unused, index) => `line ${index}`);
  const changed = diffLines([...common, 'old', ...common], [...common, 'new', ...common]);
  expect(changed.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
  ]);
  expect(changed.length).toBe(40_002);
  const other = common.map((line) => `other ${line}`);
  const kinds = diffLines(common, other).map(({ kind }) => kind);
  expect([kinds.indexOf('added'), kinds.length, new Set(kinds).size]).toEqual([20_000, 40_000, 2]);
});
