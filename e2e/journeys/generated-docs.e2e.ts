import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderConfig } from '../../docs/generate-config.mjs';
import { renderErrors } from '../../docs/generate-errors.mjs';

describe('generated documents', () => {
  it('docs/errors.md is what its generator makes', async () => {
    expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'), 'run: node docs/generate-errors.mjs').toBe(await renderErrors());
  });
  it('docs/config.md is what its generator makes', async () => {
    expect(readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8'), 'run: node docs/generate-config.mjs').toBe(await renderConfig());
  });
});
