import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createLogger } from '@rowhouse/runtime';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { shutOut } from './shut-out.js';

/** A server with sessions 7 and 8 of the account on its first node, and a node that is away. */
async function shutOutOf(killUser: boolean): Promise<{ readonly sent: string[]; readonly ended: unknown }> {
  const server = { id: 'srv_1', host: 'a', port: 1, nodes: [{ host: 'b', port: 1 }], capabilities: { killUser } } as unknown as WorkerServer;
  const sent: string[] = [];
  const connection = {
    rows: async (sql: string) => (sent.push(sql), [{}, [{ id: 7 }, { id: '8' }], {}]),
    run: async (sql: string) => (sent.push(sql), Promise.reject(new Error('1094'))),
  } as unknown as AdminConnection;
  const access = { useReadyProvisioner: (node: WorkerServer, work: (one: AdminConnection) => Promise<unknown>) => (node.host === 'a' ? work(connection) : Promise.reject(new Error('away'))) };
  const ctx = { access, logger: createLogger('test', 'silent') } as unknown as WorkerContext;
  return { sent, ended: await shutOut(ctx, server, 'u1') };
}

const LOCK_AND_LIST = "ALTER USER IF EXISTS 'u1'@'%' ACCOUNT LOCK; SELECT ID AS id FROM information_schema.PROCESSLIST WHERE USER = 'u1'";
const ENDED = new Map([['a:1', [7, 8]]]);

it('locks, lists and ends in one message where the server ends sessions by user, and in two where it does not; a node that is away holds nobody up', async () => {
  expect(await shutOutOf(true)).toEqual({ sent: [`${LOCK_AND_LIST}; KILL USER 'u1'`], ended: ENDED });
  expect(await shutOutOf(false)).toEqual({ sent: [LOCK_AND_LIST, 'KILL 7; KILL 8'], ended: ENDED });
});
