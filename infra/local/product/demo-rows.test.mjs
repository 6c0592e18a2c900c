import { describe, expect, it } from 'vitest';
import { dateRows, DEMO_ROWS } from './demo-rows.mjs';

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const dated = new Map(DEMO_ROWS.map(([table, rows]) => [table, dateRows(table, rows, NOW_MS)]));
const momentOf = (/** @type {string} */ table, /** @type {number} */ id) =>
  Date.parse(String(dated.get(table)?.[id - 1]?.['created_at']));

describe('the demo rows', () => {
  it('dates of demo rows are in the last months, and none is earlier than that of its parent row', () => {
    for (const table of ['users', 'posts', 'comments']) {
      const moments = (dated.get(table) ?? []).map((_, index) => momentOf(table, index + 1));
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
      expect(new Set(moments.map((ms) => new Date(ms).toISOString().slice(0, 10))).size).toBe(moments.length);
      expect(moments.at(-1)).toBeLessThan(NOW_MS);
    }
    for (const [index, post] of (dated.get('posts') ?? []).entries())
      expect(momentOf('posts', index + 1)).toBeGreaterThan(momentOf('users', Number(post['user_id'])));
    for (const [index, comment] of (dated.get('comments') ?? []).entries())
      expect(momentOf('comments', index + 1)).toBeGreaterThan(momentOf('posts', Number(comment['post_id'])));
    expect(dated.get('tags')?.[0]).not.toHaveProperty('created_at');
  });
});
