import type { LoadResponse } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { downloadPath, hasEnded } from './queries.js';

it.each([
  ['queued', false],
  ['running', false],
  ['verifying', false],
  ['done', true],
  ['failed', true],
  ['cancelled', true],
] as const)('hasEnded returns for an import in state %s: %s', (state, isFinished) => {
  expect(hasEnded({ state } as LoadResponse)).toBe(isFinished);
});

it('the download path of a backup contains its project', () => {
  expect(downloadPath('prj_1', 'fil_1')).toBe('/api/projects/prj_1/files/fil_1/download');
});
