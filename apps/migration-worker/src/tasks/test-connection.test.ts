import { createServer } from 'node:net';
import type { TaskPayload } from '@rowhouse/contracts';
import { beforeAll, expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { testConnection } from './test-connection.js';

/** A port of this machine on which no program listens. */
let port = 0;
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  port = (server.address() as { port: number }).port;
  await new Promise((resolve) => server.close(resolve));
});
let requests: string[] = [];

/** Creates a worker whose server accepts logins or fails with `rejection`. */
function makeContext(rejection: Error | null, tls: 'off' | 'required' = 'off'): WorkerContext {
  requests = [];
  const session = {
    rows: () => Promise.resolve([{ version: '10.11.19-MariaDB', seen: 7 }]),
    close: () => Promise.resolve(),
  };
  return {
    directory: {
      readPlace: () =>
        Promise.resolve({ database: { schemaName: 'p1' }, server: { host: '127.0.0.1', port, tls } }),
    },
    box: { open: (sealed: Buffer, purpose: string) => `${sealed.toString()} of ${purpose}` },
    access: {
      openAs: (_server: unknown, ...values: string[]) => (
        requests.push(values.join(', ')),
        rejection === null ? Promise.resolve(session) : Promise.reject(rejection)
      ),
    },
  } as unknown as WorkerContext;
}

const payload = (tls = false): TaskPayload<'test_connection'> =>
  ({
    connection_id: 'con_1',
    database_id: 'db_1',
    user_name: 'u1',
    password_sealed: Buffer.from('sealed').toString('base64'),
    host: '127.0.0.1',
    port,
    tls,
    ca: null,
  }) as TaskPayload<'test_connection'>;
const refuse = (errno: number): Error =>
  Object.assign(new Error('refused'), {
    errno,
    sqlState: 'HY000',
    sqlMessage: 'refused',
    code: `ER_${errno}`,
  });

it('a connection test distinguishes an unreachable address from a correct password', async () => {
  await expect(testConnection(makeContext(null), payload())).resolves.toEqual({
    fault: null,
    server_version: '10.11.19-MariaDB',
    tables: 7,
    took_ms: expect.any(Number),
    reaches_address: false,
  });
  expect(requests).toEqual([expect.stringMatching(/^u1, sealed of .*con_1.*, p1$/)]);
});

const FAULTS = { password: [1045, 1698], locked: [3118, 4151], sessions: [1040, 1203, 1226], other: [1044] };

it.each(Object.entries(FAULTS).flatMap(([fault, errnos]) => errnos.map((errno) => [errno, fault] as const)))(
  'a login that the server rejects with error %i has the fault %s',
  async (errno, fault) => {
    await expect(testConnection(makeContext(refuse(errno)), payload())).resolves.toMatchObject({
      fault,
      server_version: null,
      tables: null,
      reaches_address: false,
    });
  },
);

it('a connection test throws if no server responds', async () => {
  await expect(
    testConnection(
      makeContext(Object.assign(new Error('connect'), { code: 'ECONNREFUSED', fatal: true })),
      payload(),
    ),
  ).rejects.toMatchObject({ code: 'db.unavailable' });
});

it('a connection test uses TLS if the account requires it', async () => {
  await expect(testConnection(makeContext(null), payload(true))).rejects.toMatchObject({
    code: 'db.unavailable',
  });
  expect(requests).toEqual([]);
  await expect(testConnection(makeContext(null, 'required'), payload(true))).resolves.toMatchObject({
    fault: null,
  });
});
