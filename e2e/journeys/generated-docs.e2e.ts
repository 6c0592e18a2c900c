import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderErrors } from '../../docs/generate-errors.mjs';

describe('generated documents', () => {
  it('docs/errors.md is what its generator makes', async () => {
    expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'), 'run: node docs/generate-errors.mjs').toBe(await renderErrors());
  });
});
