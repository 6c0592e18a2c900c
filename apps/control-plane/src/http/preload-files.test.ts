import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirstFiles, type FirstFiles } from './preload-files.js';

const PAGE = '/projects/$projectId/$environment';
let folder: string;
let findFirst: FirstFiles;
const linksOf = (path: string): string | undefined => findFirst(path)?.links;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-files-'));
  const script = (name: string) => ({ as: 'script', href: `/assets/${name}.js` });
  const call = (href: string) => ({ as: 'fetch', href });
  await writeFile(
    join(folder, 'screens.json'),
    JSON.stringify([
      { path: '/login', wanted: [script('sign-in')] },
      {
        path: PAGE,
        page: 'pages/overview.html',
        wanted: [
          { as: 'style', href: '/assets/main.css' },
          script('main'),
          call('/api/me'),
          call('/api/projects/$projectId'),
          script('overview'),
        ],
      },
      { path: `${PAGE}/data/$table`, wanted: [call('/api/me'), script('data')] },
    ]),
  );
  findFirst = await readFirstFiles(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('readFirstFiles', () => {
  it('readFirstFiles() returns the files and first API calls of a console page', () => {
    expect(linksOf('projects/prj_1/development')?.split(', ')).toEqual([
      '</assets/main.css>; rel=preload; as=style; crossorigin',
      '</assets/main.js>; rel=modulepreload; fetchpriority=low',
      '</api/me>; rel=preload; as=fetch; crossorigin',
      '</api/projects/prj_1>; rel=preload; as=fetch; crossorigin',
      '</assets/overview.js>; rel=modulepreload; fetchpriority=low',
    ]);
    expect(linksOf('projects/prj_1/development/')).toBe(linksOf('projects/prj_1/development'));
    expect(linksOf('projects/prj_1/development/data/posts')).toBe(
      '</api/me>; rel=preload; as=fetch; crossorigin, </assets/data.js>; rel=modulepreload',
    );
    expect(linksOf('login')).toBe('</assets/sign-in.js>; rel=modulepreload');
  });

  it('readFirstFiles() returns the prerendered page if the build created one', () => {
    expect(findFirst('projects/prj_1/development')?.page).toBe('pages/overview.html');
    expect(findFirst('login')?.page).toBeUndefined();
  });

  it('readFirstFiles() returns nothing for an unknown path', () => {
    for (const path of ['', 'projects', 'projects/prj_1', 'projects/prj_1/development/nowhere', 'login/more'])
      expect(linksOf(path)).toBeUndefined();
  });

  it('readFirstFiles() returns no API call for an invalid id', () => {
    for (const id of ['a>; rel=x', 'a\r\nset-cookie: x', '..', 'prj,1', 'p'.repeat(65)])
      expect(linksOf(`projects/${id}/development`)).not.toContain('/api/projects/');
    expect(linksOf('projects/x>/development')).toContain('</api/me>');
  });

  it('readFirstFiles() returns nothing for a console without a list of screens', async () => {
    const findNone = await readFirstFiles(tmpdir());
    expect(findNone('login')).toBeUndefined();
  });
});
