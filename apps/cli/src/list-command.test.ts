import { describe, expect, it } from 'vitest';
import { PROJECT, run } from './testing/run.js';

const DATABASE = { id: 'db_1', environment: 'development', base_url: 'http://127.0.0.1:1/' };
const KEY = {
  id: 'key_1',
  name: 'website',
  last4: 'abcd',
  scopes: ['read', 'query'],
  tables: { posts: ['read'] },
  last_used_at: null,
  expires_at: null,
};
const PROJECTS = { 'GET /api/projects': { body: { items: [{ ...PROJECT, databases: [DATABASE] }] } } };

describe('makeListCommand', () => {
  it('a list command shows items under column headings, or the response with --json', async () => {
    const answers = { ...PROJECTS, 'GET /api/databases/db_1/keys': { body: { items: [KEY] } } };
    const { code, out } = await run(['keys', 'list', '-p', 'Blog'], answers);
    expect(code).toBe(0);
    const [heads, row] = out.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(heads).toEqual(['NAME', 'ENDS WITH', 'SCOPES', 'TABLES', 'LAST USED', 'EXPIRES', 'ID']);
    expect(row).toEqual(['website', 'abcd', 'read query', 'posts', 'never', 'key_1']);
    expect(JSON.parse((await run(['keys', 'list', '-p', 'Blog', '--json'], answers)).out)).toEqual([KEY]);
  });

  it('a list command without items explains how to create the first one', async () => {
    expect((await run(['projects', 'list'], { 'GET /api/projects': { body: { items: [] } } })).err).toContain(
      'rowhouse projects create NAME',
    );
  });
});
