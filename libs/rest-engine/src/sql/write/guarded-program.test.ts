import { describe, expect, it } from 'vitest';
import { ALL, describeError, digest, plan, rejection, run, type FakeDatabase } from '../../../test/blog.js';

const STORED = ['7', 'old', null];
/** Simulates a database with one record, whose version is `STORED`. */
const answer: FakeDatabase = ({ role }) => (role.kind === 'write' ? { affectedRows: 1 } : { rows: [STORED] });
const tag = (cells: readonly (string | null)[], number = 1): string => `"${number}.${digest(cells)}"`;
const texts = (endpoint: string, ifMatch: string, options: object = {}): string[] =>
  run(endpoint, answer, {
    body: { name: 'new' },
    headers: { 'if-match': ifMatch },
    ...options,
  }).statements.map((statement) => statement.sql);

function rejected(
  endpoint: string,
  ifMatch: string,
  provided: FakeDatabase = answer,
  options: object = {},
): string {
  try {
    run(endpoint, provided, { body: { name: 'new' }, headers: { 'if-match': ifMatch }, ...options });
  } catch (error) {
    return describeError(error);
  }
  return 'accepted';
}

describe('a write with If-Match', () => {
  it('a write with If-Match first locks and compares the record', () => {
    expect(texts('PUT /tags/7', tag(STORED))).toEqual([
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ? FOR UPDATE',
      'UPDATE `tags` SET `name` = ? WHERE `id` = ?',
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ?',
    ]);
    expect(texts('DELETE /tags/7', '*', { body: undefined })).toHaveLength(2);
    expect(run('DELETE /tags/7', answer, { headers: { 'if-match': tag(STORED) } }).response).toMatchObject({
      status: 204,
    });
  });

  it('a write with If-Match gets 412 for a changed record and 404 for a missing one', () => {
    for (const endpoint of ['PUT /tags/7', 'PATCH /tags/7'])
      expect(rejected(endpoint, tag(['7', 'older', null]))).toContain('412 record.stale');
    expect(rejected('DELETE /tags/7', '"foreign"', answer, { body: undefined })).toContain(
      '412 record.stale',
    );
    expect(
      rejected('PUT /tags/7', '*', ({ role }) => (role.kind === 'lock' ? {} : answer({ role } as never))),
    ).toContain('404 record.not_found');
  });

  it('a tag of an older schema version is compared over the columns of that version', () => {
    const options = {
      options: {
        storedColumnsAt: (number: number) =>
          number === 0 ? ['id', 'name'] : number === 3 ? ['id', 'gone'] : null,
      },
    };
    expect(rejected('PUT /tags/7', tag(['7', 'old'], 0), answer, options)).toBe('accepted');
    expect(rejected('PUT /tags/7', tag(['7', 'older'], 0), answer, options)).toContain('412');
    expect(rejected('PUT /tags/7', tag(['7', 'x'], 3), answer, options)).toContain('412');
    expect(rejected('PUT /tags/7', tag(STORED, 9), answer, options)).toContain('412');
  });

  it('a write with If-Match requires the right to read', () => {
    const headers = { 'if-match': '*' };
    expect(plan('PUT /tags/7', { body: {}, headers }).touches).toEqual([
      { table: 'tags', verb: 'write' },
      { table: 'tags', verb: 'read' },
    ]);
    expect(plan('DELETE /tags/7', { headers }).touches).toEqual([
      { table: 'tags', verb: 'delete' },
      { table: 'tags', verb: 'read' },
    ]);
    expect(
      rejection('DELETE /tags/7', { headers, rights: { ...ALL, verbs: ['delete', 'write'] } }),
    ).toContain('403 auth.scope');
  });
});

describe('ETag', () => {
  it('the ETag of a record changes with every stored column, including hidden ones', () => {
    const rights = { ...ALL, hiddenColumns: { tags: ['description'] } };
    const hidden: FakeDatabase = () => ({ rows: [['x', '7', null]] });
    const visible: FakeDatabase = () => ({ rows: [STORED] });
    const etag = (endpoint: string, provided: FakeDatabase, options: object = {}): string | undefined =>
      run(endpoint, provided, options).response.headers['ETag'];
    expect(etag('GET /tags/7', visible)).toBe(tag(STORED));
    expect(etag('GET /tags/7?_select=name', hidden, { rights })).toBe(tag(['7', 'x', null]));
    expect(
      etag('GET /tags/7', ({ role }) => (role.kind === 'write' ? { affectedRows: 1 } : { rows: [STORED] })),
    ).toBe(etag('PUT /tags/7', answer, { body: { name: 'old' } }));
  });
});
