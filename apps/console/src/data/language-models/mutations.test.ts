import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { usePutLanguageModel } from './mutations.js';
import { languageModelQuery } from './queries.js';

afterEach(() => vi.unstubAllGlobals());

it('setting the language model of a project reloads that model', async () => {
  const fetched = vi.fn(
    async (_path: string, _init: RequestInit) => new Response(JSON.stringify({ source: 'project' })),
  );
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient();
  client.setQueryData(languageModelQuery('prj_1').queryKey, {
    source: 'none',
    base_url: null,
    model: null,
    has_key: false,
    updated_at: null,
  });
  await callHook(() => usePutLanguageModel('prj_1'), client).mutateAsync({
    base_url: 'https://llm.example.com/v1',
    model: 'm',
    api_key: 'secret',
  });
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect([path, init?.method, init?.body]).toEqual([
    '/api/projects/prj_1/language-model',
    'PUT',
    '{"base_url":"https://llm.example.com/v1","model":"m","api_key":"secret"}',
  ]);
  expect(client.getQueryState(languageModelQuery('prj_1').queryKey)?.isInvalidated).toBe(true);
});
