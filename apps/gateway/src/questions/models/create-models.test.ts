import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createSecretBox } from '@rowhouse/credentials';
import { startModelServer } from '@rowhouse/testkit';
import { expect, it } from 'vitest';
import { createModels, startQuestionHistory, type Models } from './create-models.js';
import type { ModelQuestion } from './model-engine.js';

/** Starts a server that accepts connections and never responds. */
async function openSilence(): Promise<{ server: Server; url: string; close: () => void }> {
  const server = createServer();
  const sockets = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return {
    server,
    url: `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}/v1`,
    close,
  };
}

async function ask(
  models: Models,
  projectId: string,
  baseUrl: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const languageModel = baseUrl === null ? null : { baseUrl, model: 'own-1', keySealed: null, version: 1 };
  const question = {
    question: 'how is the weather',
    projectId,
    databaseId: `db_${projectId}_${String(Math.random())}`,
    tokensPerDay: null,
    scope: '',
    engine: 'mariadb',
    tables: [],
    schema: { tables: [] },
    guard: { tables: [], hiddenNames: [], schemaName: 'p' },
    today: '2026-01-01',
    timezone: 'UTC',
    hint: null,
    values: [],
    signal,
    rehearse: () => Promise.resolve(),
  } satisfies ModelQuestion;
  return models.engineOf({ projectId, languageModel })?.translate(question);
}

it("a project's model that does not respond does not block the installation's model", async () => {
  const [silence, shared] = [
    await openSilence(),
    await startModelServer([{ content: { sql: null, reason: 'no weather' } }]),
  ];
  const store = {
    append: async () => undefined,
    listAccepted: async () => [],
    addModelUse: async () => undefined,
    readModelTokens: async () => 0,
  };
  const models = createModels({
    settings: { baseUrl: shared.url, apiKey: null, model: 'shared-1' },
    limits: { timeoutMs: 30_000, tokensPerDay: 1e9, allowsPrivate: true },
    store,
    shared: { readTranslation: async () => null, writeTranslation: () => undefined },
    box: createSecretBox([randomBytes(32)]),
    onFault: () => undefined,
  });
  const going = new AbortController();
  let connections = 0;
  silence.server.on('connection', () => (connections += 1));
  // Each project may run four questions at the same time, so 36 questions belong to nine projects.
  const hanging = Array.from({ length: 36 }, (_, index) =>
    ask(models, `prj_${Math.floor(index / 4)}`, silence.url, going.signal),
  );
  const ended = Promise.allSettled(hanging);
  await expect.poll(() => connections).toBe(36);
  expect(await ask(models, 'prj_other', null, going.signal)).toEqual({
    kind: 'unable',
    reason: 'no weather',
  });
  going.abort();
  await ended;
  silence.close();
  await shared.stop();
  await models.stop();
});

it('many questions to one database do not displace questions to another one from the history', async () => {
  const databases: string[] = [];
  const history = startQuestionHistory(
    (rows) => Promise.resolve(void databases.push(...rows.map(({ databaseId }) => databaseId))),
    () => undefined,
  );
  const note = (databaseId: string): void => history.note({ databaseId } as never);
  for (let index = 0; index < 600; index += 1) note('db_busy');
  note('db_other');
  await history.stop();
  expect(databases.filter((id) => id === 'db_busy')).toHaveLength(20);
  expect(databases).toContain('db_other');
});
