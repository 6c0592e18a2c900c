import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, rejection, type CallOptions } from '../../../../test/blog.js';
import { mayScan } from '../../may-scan.js';

const tailOf = (endpoint: string, options: CallOptions = {}): string =>
  firstStatement(endpoint, options)
    .sql.replace(/^.*? FROM /, '')
    .replaceAll('`', '');

describe('the order of a list', () => {
  it('a list of a table with a key is sorted last by the key', () => {
    expect(tailOf('GET /posts')).toBe('posts ORDER BY id ASC LIMIT ?');
    expect(tailOf('GET /posts?sort=-title&user_id=1')).toBe(
      'posts WHERE user_id = ? ORDER BY title DESC, id DESC LIMIT ?',
    );
  });

  it('a list of a table without a key has the stored order unless it is filtered or sorted', () => {
    expect(tailOf('GET /logs?limit=5&page=3')).toBe('logs USE INDEX () LIMIT ? OFFSET ?');
    expect(tailOf('GET /logs?sort=-at')).toBe('logs ORDER BY at DESC, UNHEX(SHA2(text, 256)) LIMIT ?');
    expect(tailOf('GET /logs?at__gt=2026-01-01')).toBe(
      'logs WHERE at > ? ORDER BY at, UNHEX(SHA2(text, 256)) LIMIT ?',
    );
    expect([mayScan(plan('GET /logs?limit=5')), mayScan(plan('GET /logs?sort=at'))]).toEqual([false, true]);
  });

  it('the order of a list never contains a hidden column', () => {
    expect(tailOf('GET /logs?sort=at', { rights: { ...ALL, hiddenColumns: { logs: ['text'] } } })).toBe(
      'logs ORDER BY at ASC LIMIT ?',
    );
    expect(
      tailOf('GET /types?sort=tiny', { rights: { ...ALL, hiddenColumns: { types: ['id'] } } }),
    ).not.toContain('`id`');
  });

  it('the order of a stream contains more than its sort keys only if the stream is partial', () => {
    const headers = { accept: 'text/csv' };
    expect(tailOf('GET /logs?sort=at', { headers })).toBe('logs ORDER BY at ASC LIMIT ?');
    expect(tailOf('GET /logs', { headers })).toBe('logs LIMIT ?');
    expect(tailOf('GET /logs?sort=at&_offset=5', { headers })).toBe(
      'logs ORDER BY at ASC, UNHEX(SHA2(text, 256)) LIMIT ? OFFSET ?',
    );
  });

  it('the order of distinct rows and groups includes columns that were not requested', () => {
    expect(tailOf('GET /types?_distinct=tiny,raw,name&sort=-name')).toBe(
      'types ORDER BY name DESC, tiny ASC, UNHEX(SHA2(raw, 256)) LIMIT ?',
    );
    expect(tailOf('GET /types?_group=raw,tiny&_aggregate=count&sort=-count')).toContain(
      'GROUP BY raw, tiny ORDER BY 3 DESC, 1 ASC, 2 ASC LIMIT ?',
    );
    expect(rejection('GET /types?_distinct=place&limit=5')).toBe(
      '422 params.invalid ["query","_distinct"] conflict',
    );
    expect(rejection('GET /types?_distinct=place')).toBe('accepted');
  });

  it('the order by a long text uses its first characters if a cursor compares it', () => {
    expect(firstStatement('GET /articles?sort=body&_cursor=&limit=2').sql.replaceAll('`', '')).toBe(
      'SELECT id, title, body, LEFT(body, 255) FROM articles ORDER BY LEFT(body, 255) ASC, id ASC LIMIT ?',
    );
    expect(tailOf('GET /articles?sort=body&limit=2')).toBe('articles ORDER BY body ASC, id ASC LIMIT ?');
    expect(tailOf('GET /articles?sort=title&limit=2&_cursor=')).toBe(
      'articles ORDER BY title ASC, id ASC LIMIT ?',
    );
  });
});
