import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { readToasts } from '../../ui/notices/toasts.js';
import { useBeginSchema } from './use-begin-schema.js';

const cache = new Map<string, string>();
const project = {
  id: 'prj_1',
  databases: [
    { id: 'db_p', environment: 'production' },
    { id: 'db_d', environment: 'development' },
  ],
} as unknown as Parameters<ReturnType<typeof useBeginSchema>>[0];
const answer = (status: number, body: object) => {
  const fetched = vi.fn(
    async (_path: string, _init: RequestInit) => new Response(JSON.stringify(body), { status }),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
};
beforeEach(() => {
  cache.clear();
  vi.stubGlobal('localStorage', {
    setItem: (name: string, text: string) => cache.set(name, text),
    getItem: (name: string) => cache.get(name) ?? null,
  });
});
afterEach(() => vi.unstubAllGlobals());

it('the SQL of a new project is deployed to development', async () => {
  const fetched = answer(201, { migrations: [] });
  expect(
    await callHook(useBeginSchema)(project, { kind: 'sql', text: 'CREATE TABLE a (id int)' }),
  ).toBeNull();
  expect([fetched.mock.calls[0]?.[0], fetched.mock.calls[0]?.[1].body]).toEqual([
    '/api/projects/prj_1/deploy',
    '{"sql":"CREATE TABLE a (id int)","targets":[{"database":"db_d"}]}',
  ]);
});

it('a failed first deploy of a new project leads to the deploy page', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async (path: string) =>
        new Response(
          JSON.stringify(
            path.endsWith('/deploy') ? { migrations: [{ id: 'mig_1' }] } : { id: 'mig_1', state: 'failed' },
          ),
          { status: 200 },
        ),
    ),
  );
  expect(await callHook(useBeginSchema)(project, { kind: 'sql', text: 'CREATE TABLE a (id int)' })).toBe(
    'deploy',
  );
});

it('rejected SQL of a new project is stored in the editor, and the error is shown', async () => {
  answer(422, { detail: 'No such type.', code: 'schema.syntax' });
  expect(await callHook(useBeginSchema)(project, { kind: 'sql', text: 'CREATE TABLE a (id ind)' })).toBe(
    'sql',
  );
  expect(cache.get('rowhouse-draft-prj_1-statements')).toBe('CREATE TABLE a (id ind)');
  expect(readToasts().at(-1)?.text).toContain('No such type.');
});

it('describing a new schema opens the page that shows its SQL', async () => {
  const fetched = answer(500, {});
  const begin = callHook(useBeginSchema);
  expect(await begin(project, { kind: 'describe', text: 'a table of books' })).toBe('describe');
  expect(cache.get('rowhouse-draft-prj_1-words')).toBe('a table of books');
  expect(await begin(project, { kind: 'sql', text: ' ' })).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
});

it('a new project from a starter schema gets sample rows in development after the deploy', async () => {
  const fetched = vi.fn(
    async (path: string, _init: RequestInit) =>
      new Response(JSON.stringify(path.includes('/migrations/') ? { state: 'published' } : { rows: 36 }), {
        status: 200,
      }),
  );
  vi.stubGlobal('fetch', fetched);
  const migrations = [
    { id: 'mig_p', database: 'db_p' },
    { id: 'mig_d', database: 'db_d' },
  ];
  expect(await callHook(useBeginSchema)({ ...project, migrations }, { kind: 'shop', text: '' })).toBeNull();
  expect(fetched.mock.calls.map(([path, { body }]) => [path, body])).toEqual([
    ['/api/migrations/mig_d', undefined],
    ['/api/databases/db_d/seed', '{"starter":"shop"}'],
  ]);
});
