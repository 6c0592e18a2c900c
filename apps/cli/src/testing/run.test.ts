import { describe, expect, it } from 'vitest';
import { PROJECT, run } from './run.js';

describe('run', () => {
  it('answers as it is told to, and what it was not told with 404', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } }, 'POST /api/projects/prj_1/restore': { status: 409, body: { detail: 'It is there.' } } };
    expect(await run(['projects', 'list', '--json'], answers)).toEqual({ code: 0, out: `${JSON.stringify([PROJECT], null, 2)}\n`, err: '' });
    expect(await run(['projects', 'restore', 'prj_1'], answers)).toMatchObject({ code: 1, err: expect.stringContaining('It is there.') });
    expect(await run(['tokens', 'list'])).toMatchObject({ code: 1, err: expect.stringContaining('There is no such thing.') });
  });

  it('has a token, a home of its own, and nobody to ask', async () => {
    expect(await run(['tokens', 'list'], {}, { ROWHOUSE_TOKEN: undefined as unknown as string })).toMatchObject({ code: 3, err: expect.stringContaining('not signed in') });
    expect(await run(['login'])).toMatchObject({ code: 2, err: expect.stringContaining('Nobody is here') });
  });
});
