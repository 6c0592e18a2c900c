import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderConfig } from '../../../docs/generate-config.mjs';
import { renderErrors } from '../../../docs/generate-errors.mjs';
import { renderLicences } from '../../../docs/generate-licences.mjs';

const PERMISSIVE =
  /^(\(MIT OR CC0-1\.0\)|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|ISC|MIT|MIT-0|Unlicense)$/;

describe('generated documents', () => {
  it('docs/errors.md equals the output of its generator', async () => {
    expect(
      readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8'),
      'run: node docs/generate-errors.mjs',
    ).toBe(await renderErrors());
  });
  it('docs/config.md equals the output of its generator', async () => {
    expect(
      readFileSync(new URL('../../../docs/config.md', import.meta.url), 'utf8'),
      'run: node docs/generate-config.mjs',
    ).toBe(await renderConfig());
  });
  it("docs/licences.md equals its generator's output and lists only permissive licenses", () => {
    const text = renderLicences();
    expect(
      readFileSync(new URL('../../../docs/licences.md', import.meta.url), 'utf8'),
      'run: node docs/generate-licences.mjs',
    ).toBe(text);
    expect(
      [...text.matchAll(/^## (.+) \(\d+\)$/gm)]
        .map((found) => found[1])
        .filter((licence) => !PERMISSIVE.test(licence ?? '')),
    ).toEqual([]);
  });
});
