import { describe, expect, it } from 'vitest';
import { PROJECT, run } from '../testing/run.js';

const PROJECTS = {
  'GET /api/projects': {
    body: {
      items: [
        {
          ...PROJECT,
          databases: [{ id: 'db_1', environment: 'development', base_url: 'http://127.0.0.1:1/' }],
        },
      ],
    },
  },
};
const seeded = (tables: readonly { name: string; rows: number; reason: string | null }[]) => ({
  ...PROJECTS,
  'POST /api/databases/db_1/seed': {
    body: { seed: 'demo', rows: tables.reduce((sum, item) => sum + item.rows, 0), tables },
  },
});

describe('rowhouse seed', () => {
  it('rowhouse seed prints rows and reasons for empty tables, or the response with --json', async () => {
    const answers = seeded([
      { name: 'posts', rows: 20, reason: null },
      { name: 'logs', rows: 0, reason: 'it already has rows' },
    ]);
    const result = await run(['seed', '--rows', '20', '--seed', 'demo'], answers);
    expect(result).toMatchObject({
      code: 0,
      out: expect.stringMatching(/posts +20\nlogs +0 +it already has rows\n/),
      err: expect.stringContaining('rowhouse seed --seed demo'),
    });
    expect(JSON.parse((await run(['seed', '--json'], answers)).out)).toMatchObject({
      rows: 20,
      seed: 'demo',
    });
  });

  it('rowhouse seed fails when no row is created and explains an invalid number', async () => {
    expect(
      await run(['seed'], seeded([{ name: 'posts', rows: 0, reason: 'it already has rows' }])),
    ).toMatchObject({ code: 1 });
    expect(await run(['seed', '--rows', 'many'], PROJECTS)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--rows 50'),
    });
    const rejected = {
      ...PROJECTS,
      'POST /api/databases/db_1/seed': {
        status: 409,
        body: {
          code: 'transfer.not_possible',
          detail: 'Not in production.',
          hint: 'say it',
          needs: 'production',
        },
      },
    };
    expect(await run(['seed'], rejected)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--production'),
    });
  });
});
