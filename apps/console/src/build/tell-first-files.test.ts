import { expect, it } from 'vitest';
import { SCREEN_MODULES } from '../screen-modules.js';
import { listFirstFiles } from './tell-first-files.js';

const chunk = (fileName: string, imports: string[] = [], css: string[] = [], facadeModuleId: string | null = null) => ({ fileName, imports, facadeModuleId, isEntry: fileName === 'main.js', viteMetadata: { importedCss: new Set(css) } });
const screens = [...new Set(Object.values(SCREEN_MODULES).flat())].map((name) => chunk(`${name}.js`, name === 'keys' ? ['main.js', 'shared.js'] : ['libraries.js'], name === 'keys' ? ['keys.css'] : [], `/console/src/routes/${name}.tsx`));
const chunks = [chunk('main.js', ['libraries.js'], ['main.css']), chunk('libraries.js'), chunk('shared.js', ['libraries.js', 'deep.js'], ['shared.css']), chunk('deep.js'), ...screens];

it('names all that a screen needs, first what every page begins with, nothing twice', () => {
  const keys = listFirstFiles(chunks).find(({ path }) => path.endsWith('/keys'));
  expect(keys?.wanted.map(({ as, href }) => `${as} ${href}`)).toEqual([
    'style /main.css', 'script /main.js', 'script /libraries.js', 'fetch /api/me', 'fetch /api/projects/$projectId',
    'style /keys.css', 'style /shared.css', 'script /project-layout.js', 'script /keys.js', 'script /shared.js', 'script /deep.js',
  ]);
});

it('refuses a table of screens that tells of a module which is no longer there', () => {
  expect(() => listFirstFiles(chunks.filter(({ fileName }) => fileName !== 'keys.js'))).toThrow('routes/keys.tsx');
});
