import { expect, it } from 'vitest';
import { SCREEN_MODULES } from '../screen-modules.js';
import { listFirstFiles } from './report-first-files.js';

const chunk = (
  fileName: string,
  imports: string[] = [],
  length = 1,
  facadeModuleId: string | null = null,
) => ({ fileName, imports, facadeModuleId, isEntry: fileName === 'main.js', code: ' '.repeat(length) });
const screens = [...new Set(Object.values(SCREEN_MODULES).flat())].map((name) =>
  chunk(
    `${name}.js`,
    name === 'keys' ? ['main.js', 'shared.js'] : ['libraries.js'],
    name === 'keys' ? 5 : 1,
    `/console/src/routes/${name}.tsx`,
  ),
);
const chunks = [
  chunk('main.js', ['libraries.js'], 2),
  chunk('libraries.js', [], 9),
  chunk('shared.js', ['libraries.js', 'deep.js'], 3),
  chunk('deep.js', [], 4),
  ...screens,
];

it('the build report lists each file of a console page once, common files first', () => {
  const keys = listFirstFiles(chunks, ['all.css']).find(({ path }) => path.endsWith('/keys'));
  expect(keys?.wanted.map(({ as, href }) => `${as} ${href}`)).toEqual([
    'style /all.css',
    'script /libraries.js',
    'script /main.js',
    'fetch /api/me',
    'fetch /api/projects/$projectId',
    'script /keys.js',
    'script /deep.js',
    'script /shared.js',
    'script /project-layout.js',
  ]);
});

it('the build report rejects a route table with a missing module', () => {
  expect(() =>
    listFirstFiles(
      chunks.filter(({ fileName }) => fileName !== 'keys.js'),
      [],
    ),
  ).toThrow('routes/keys.tsx');
});
