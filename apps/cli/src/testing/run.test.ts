import { describe, expect, it } from 'vitest';
import { PROJECT, run } from './run.js';

describe('run', () => {
  it('the CLI test helper run() returns the given responses, and 404 for other requests', async () => {
    const answers = {
      'GET /api/projects': { body: { items: [PROJECT] } },
      'POST /api/projects/prj_1/restore': { status: 409, body: { detail: 'It is there.' } },
    };
    expect(await run(['projects', 'list', '--json'], answers)).toEqual({
      code: 0,
      out: `${JSON.stringify([PROJECT], null, 2)}\n`,
      err: '',
    });
    expect(await run(['projects', 'restore', 'prj_1'], answers)).toMatchObject({
      code: 1,
      err: expect.stringContaining('It is there.'),
    });
    expect(await run(['tokens', 'list'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no such thing.'),
    });
  });

  it('text from the server cannot control the terminal of the CLI user', async () => {
    const hostile = { ...PROJECT, id: 'prj_2', name: 'Blog\u001b[2J\u009b1A' };
    const result = await run(['projects', 'restore', 'prj_1'], {
      'GET /api/projects': { body: { items: [hostile, hostile] } },
      'POST /api/projects/prj_1/restore': {
        status: 409,
        body: { detail: 'There is\u001b]0;no\u0007 room.' },
      },
    });
    expect(result.err).toContain(String.raw`There is\u001b]0;no\u0007 room.`);
    const { out } = await run(['projects', 'list', '--json'], {
      'GET /api/projects': { body: { items: [hostile] } },
    });
    expect(out).toContain(String.raw`Blog\u001b[2J\u009b1A`);
    expect(JSON.parse(out)).toEqual([hostile]);
  });

  it('the CLI test helper run() provides a token and a home folder, but no terminal', async () => {
    expect(
      await run(['tokens', 'list'], {}, { ROWHOUSE_TOKEN: undefined as unknown as string }),
    ).toMatchObject({ code: 3, err: expect.stringContaining('not signed in') });
    expect(await run(['login'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('without a terminal'),
    });
  });
});
