import { beforeEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { useOpenProject } from './use-open-project.js';

const navigate = vi.hoisted(() => vi.fn());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));
beforeEach(() => navigate.mockReset());

const projectOf = (...environments: string[]) =>
  ({ id: 'prj_1', databases: environments.map((environment) => ({ environment })) }) as unknown as Parameters<
    ReturnType<typeof useOpenProject>
  >[0];

it('a project with tables opens on its overview', () => {
  callHook(useOpenProject)(projectOf('development'), null, true);
  expect(navigate.mock.calls).toEqual([
    [{ to: '/projects/$projectId', params: { projectId: 'prj_1' }, replace: true }],
  ]);
});

it.each([
  [['production', 'development'], 'development'],
  [['staging', 'production'], 'production'],
  [[], 'development'],
])(
  'a project without tables and with the databases %j opens on the page that creates tables, in %s',
  (environments, environment) => {
    callHook(useOpenProject)(projectOf(...environments), 'sql', false);
    expect(navigate.mock.calls).toEqual([
      [
        {
          to: '/projects/$projectId/$environment/schema',
          params: { projectId: 'prj_1', environment },
          search: { view: 'sql' },
          replace: false,
        },
      ],
    ]);
  },
);
