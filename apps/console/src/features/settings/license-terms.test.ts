import { expect, it } from 'vitest';
import { readTerms, writeTerms } from './license-terms.js';

it('the terms of a license are an address or an SPDX identifier', () => {
  for (const terms of [{ identifier: 'CC-BY-4.0' }, { url: 'https://example.org/terms' }])
    expect(readTerms(writeTerms({ name: 'x', ...terms }))).toEqual(terms);
});
