import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NIGHTLY_INTEGRATION, NIGHTLY_JOURNEYS, NIGHTLY_UNIT, selectFiles } from './nightly.mjs';
import { root } from '../vitest-base.mjs';

describe('the nightly files', () => {
  const before = process.env['TEST_SET'];
  afterEach(() => {
    if (before === undefined) delete process.env['TEST_SET'];
    else process.env['TEST_SET'] = before;
  });

  it.each([...NIGHTLY_UNIT, ...NIGHTLY_INTEGRATION, ...NIGHTLY_JOURNEYS])(
    'the nightly test file %s exists',
    (path) => {
      expect(existsSync(join(root, path))).toBe(true);
    },
  );

  it.each([
    ['ci', { include: ['all'], exclude: ['slow'] }],
    ['nightly', { include: ['slow'], exclude: [] }],
    ['', { include: ['all'], exclude: [] }],
  ])('TEST_SET=%s selects the test files %o', (set, expected) => {
    process.env['TEST_SET'] = set;
    expect(selectFiles(['all'], ['slow'])).toEqual(expected);
  });
});
