import { describe, expect, it } from 'vitest';
import { readVersion } from './run-cli.js';
import { run } from './testing/run.js';

describe('readVersion', () => {
  it('every common version option prints the CLI version', async () => {
    for (const word of ['--version', 'version', '-V'])
      expect(await run([word])).toMatchObject({ code: 0, out: `${readVersion()}\n` });
    expect(JSON.parse((await run(['--json', 'version'])).out)).toEqual({ version: readVersion() });
  });
});
