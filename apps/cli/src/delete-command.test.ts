import { describe, expect, it } from 'vitest';
import { PROJECT, run } from './testing/run.js';

describe('makeDeleteCommand', () => {
  it('a CLI delete command encodes the name of the object in the request path', async () => {
    const answers = { 'DELETE /api/keys/key_1': { body: {} }, 'DELETE /api/keys/..%2Ftokens': { body: {} } };
    expect(await run(['keys', 'revoke', 'key_1'], answers)).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(['keys', 'revoke', '../tokens', '--json'], answers)).out)).toEqual({
      id: '../tokens',
    });
    expect(await run(['keys', 'revoke', 'key_2'], answers)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no such thing.'),
    });
  });

  it('a CLI command that deletes permanently asks for confirmation first', async () => {
    const answers = {
      'GET /api/projects': { body: { items: [PROJECT] } },
      'DELETE /api/projects/prj_1/files/fil_1': { body: {} },
    };
    expect(await run(['files', 'delete', 'fil_1', '-p', 'Blog'], answers)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(await run(['files', 'delete', 'fil_1', '-p', 'Blog', '--yes'], answers)).toMatchObject({
      code: 0,
    });
  });
});
