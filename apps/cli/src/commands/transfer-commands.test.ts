import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT, run } from '../testing/run.js';

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('schema import', () => {
  const file = {
    id: 'fil_1',
    kind: 'import',
    state: 'ready',
    rows: 3,
    revision: 2,
    notes: ['SET was left out.'],
    problems_total: 4,
    problems: [
      { line: 22, object: 'order', reason: 'Invalid default value' },
      { line: 30, object: '', reason: 'The statement is too long.' },
    ],
  };
  const answers = {
    'GET /api/projects': { body: { items: [PROJECT] } },
    [`POST /api/projects/${PROJECT.id}/schema/import`]: { body: file },
  };

  it('rowhouse schema import lists rejected lines and the commands to run next', async () => {
    writeFileSync(join(folder, 'shop.sql'), 'CREATE TABLE t (id INT)');
    const { code, err, out } = await run(['schema', 'import', 'shop.sql'], answers, {}, [], folder);
    expect(code).toBe(0);
    expect(err).toContain('SET was left out.');
    expect(err).toContain('line 22, order: Invalid default value\n');
    expect(err).toContain('line 30: The statement is too long.\n');
    expect(err).toContain('2 more statements were skipped.');
    expect(`${err}${out}`).toContain('Next: rowhouse schema deploy, rowhouse load fil_1');
  });

  it('rowhouse schema import suggests schema pull when the folder has a schema file', async () => {
    writeFileSync(
      join(folder, 'rowhouse.json'),
      JSON.stringify({ project: PROJECT.id, schema: 'schema.sql' }),
    );
    const { err, out } = await run(['schema', 'import', 'shop.sql'], answers, {}, [], folder);
    expect(`${err}${out}`).toContain(
      'Next: rowhouse schema pull, rowhouse schema deploy, rowhouse load fil_1',
    );
  });
});
