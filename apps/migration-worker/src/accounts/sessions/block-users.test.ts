import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createLogger } from '@rowhouse/runtime';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../../worker-context.js';
import { blockUsers } from './block-users.js';
import { SESSIONS } from '@rowhouse/mysql';

/**
 * Locks out an account on a cluster of three nodes. Node a has its session 7, node b has its session 8, and
 * node c is down.
 */
async function shutOutOf(killUser: boolean): Promise<{ readonly sent: string[]; readonly ended: unknown }> {
  const nodes = ['b', 'c'].map((host) => ({ host, port: 1 }));
  const server = {
    id: 'srv_1',
    host: 'a',
    port: 1,
    nodes,
    capabilities: { killUser },
  } as unknown as WorkerServer;
  const sent: string[] = [];
  const connect = (host: string): AdminConnection =>
    ({
      rows: async (sql: string) => (sent.push(`${host}: ${sql}`), [{}, [{ id: 7 }, { id: '8' }], {}]),
      run: async (sql: string) => (sent.push(`${host}: ${sql}`), Promise.reject(new Error('1094'))),
    }) as unknown as AdminConnection;
  const access = {
    useReadyProvisioner: (
      { host }: WorkerServer,
      callback: (adminConnection: AdminConnection) => Promise<unknown>,
    ) => (host === 'c' ? Promise.reject(new Error('away')) : callback(connect(host))),
  };
  const ctx = { access, logger: createLogger('test', 'silent') } as unknown as WorkerContext;
  return { sent, ended: await blockUsers(ctx, server, 'u1') };
}

const LOCK = "ALTER USER IF EXISTS 'u1'@'%' ACCOUNT LOCK";
const LIST = `SELECT ID AS id FROM ${SESSIONS} WHERE USER = 'u1'`;
const ENDED = new Map([
  ['a:1', [7, 8]],
  ['b:1', [7, 8]],
]);

it('blocking an account locks it once and ends its sessions on every node', async () => {
  expect(await shutOutOf(true)).toEqual({
    sent: [`a: ${LOCK}; ${LIST}; KILL USER 'u1'`, `b: DO 0; ${LIST}; KILL USER 'u1'`],
    ended: ENDED,
  });
  expect(await shutOutOf(false)).toEqual({
    sent: [`a: ${LOCK}; ${LIST}`, `b: DO 0; ${LIST}`, 'a: KILL 7; KILL 8', 'b: KILL 7; KILL 8'],
    ended: ENDED,
  });
});
