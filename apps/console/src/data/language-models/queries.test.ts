import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { languageModelQuery, modelKeys } from './queries.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));

it('the console loads and caches the language model of each project separately', async () => {
  send.mockImplementation(async (_method: string, path: string) => ({ source: 'project', model: path }));
  const client = new QueryClient();
  for (const projectId of ['prj_1', 'prj_2']) await client.fetchQuery(languageModelQuery(projectId));
  expect(send.mock.calls).toEqual([
    ['GET', '/api/projects/prj_1/language-model'],
    ['GET', '/api/projects/prj_2/language-model'],
  ]);
  expect(client.getQueryData(modelKeys.of('prj_1'))).toMatchObject({
    model: '/api/projects/prj_1/language-model',
  });
});
