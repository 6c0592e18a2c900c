import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../../worker-context.js';
import { endSessionsEverywhere, type EndEverywhere } from './end-sessions.js';

interface TestNode {
  /** The thread ids of the account's sessions. */
  readonly sessions?: readonly number[];
  /** The error code of a failing login. */
  readonly fails?: 'ECONNREFUSED' | 'ETIMEDOUT' | 'EAI_AGAIN';
  /** The size of the node's cluster. */
  readonly clusterSize?: number;
  /**
   * The id of the node. It is '' if the node is outside of the quorum, in which case it rejects all
   * statements.
   */
  readonly nodeId?: string;
}

/**
 * Ends a user's sessions on the nodes a, b and so on. Returns the result and the statements that were sent.
 */
async function endOn(
  nodes: readonly TestNode[],
  reach: EndEverywhere['reach'],
): Promise<{ readonly outcome: unknown; readonly killed: string[] }> {
  const killed: string[] = [];
  const names = nodes.map((_node, index) => String.fromCharCode(97 + index));
  const server = {
    id: 'srv_1',
    host: 'a',
    port: 1,
    nodes: names.slice(1).map((host) => ({ host, port: 1 })),
    capabilities: { killUser: false },
  } as unknown as WorkerServer;
  const access = {
    openNodeProvisioner: ({ host }: WorkerServer) =>
      open(nodes[names.indexOf(host)] as TestNode, (id) => killed.push(`${host} ${id}`)),
  };
  const outcome: unknown = await endSessionsEverywhere(
    { access } as unknown as WorkerContext,
    {} as AdminConnection,
    server,
    'u1',
    { reach },
  ).catch((error: unknown) => error);
  return { outcome, killed };
}

function open(
  { sessions = [], fails, clusterSize, nodeId = 'n' }: TestNode,
  onKill: (id: number) => void,
): Promise<AdminConnection> {
  if (fails !== undefined)
    return Promise.reject(Object.assign(new Error(fails), { code: fails, fatal: true }));
  let remaining = [...sessions];
  const rows = (sql: string): Promise<unknown[]> => {
    if (sql.includes('PROCESSLIST'))
      return nodeId === ''
        ? Promise.reject(
            Object.assign(new Error('no quorum'), {
              code: 'ER_UNKNOWN_COM_ERROR',
              errno: 1047,
              sqlState: '08S01',
            }),
          )
        : Promise.resolve(remaining.map((id) => ({ id })));
    if (clusterSize === undefined)
      return Promise.reject(
        Object.assign(new Error('unknown variable'), {
          code: 'ER_UNKNOWN_SYSTEM_VARIABLE',
          errno: 1193,
          sqlState: 'HY000',
        }),
      );
    if (sql.includes('STATUS'))
      return Promise.resolve(
        Object.entries({
          wsrep_ready: 'ON',
          wsrep_local_state: '4',
          wsrep_cluster_status: 'Primary',
          wsrep_cluster_state_uuid: 'c',
          wsrep_gcomm_uuid: nodeId,
          wsrep_cluster_size: `${clusterSize}`,
        }).map(([Variable_name, Value]) => ({ Variable_name, Value })),
      );
    return Promise.resolve([{ is_on: 1 }]);
  };
  const run = (sql: string): Promise<void> => {
    const id = Number(sql.replace('KILL ', ''));
    remaining = remaining.filter((item) => item !== id);
    onKill(id);
    return Promise.resolve();
  };
  return Promise.resolve({ rows, run, close: () => Promise.resolve() } as unknown as AdminConnection);
}

const UNKNOWN = { code: 'db.unavailable' };

it('ending sessions reaches every node with a running server', async () => {
  expect(await endOn([{ sessions: [7, 8] }, { sessions: [9] }, { fails: 'ECONNREFUSED' }], 'all')).toEqual({
    outcome: 3,
    killed: expect.arrayContaining(['a 7', 'a 8', 'b 9']) as unknown,
  });
});

it('ending sessions covers the other nodes and then throws for a node that does not respond', async () => {
  const { outcome, killed } = await endOn([{ sessions: [7] }, { fails: 'ETIMEDOUT' }], 'all');
  expect(outcome).toMatchObject({ ...UNKNOWN, internal: expect.stringContaining('b:1') as unknown });
  expect(killed).toEqual(['a 7']);
  expect((await endOn([{}, { fails: 'EAI_AGAIN' }], 'all')).outcome).toMatchObject(UNKNOWN);
  // A node that accepts a connection but rejects statements also counts as a node that does not respond.
  expect((await endOn([{ clusterSize: 1 }, { clusterSize: 1, nodeId: '' }], 'all')).outcome).toMatchObject(
    UNKNOWN,
  );
});

it('ending sessions ignores a node that its complete cluster no longer contains', async () => {
  const [item, other, cutOff] = [
    { sessions: [7], clusterSize: 2, nodeId: 'n1' },
    { sessions: [8], clusterSize: 2, nodeId: 'n2' },
    { fails: 'ETIMEDOUT' } as const,
  ];
  expect((await endOn([item, other, cutOff], 'members')).outcome).toBe(2);
  expect((await endOn([item, other, cutOff], 'all')).outcome).toMatchObject(UNKNOWN);
  // The cluster has three members, but one of them was not reached.
  expect(
    (await endOn([{ ...item, clusterSize: 3 }, { ...other, clusterSize: 3 }, cutOff], 'members')).outcome,
  ).toMatchObject(UNKNOWN);
  // A node that has two addresses counts once.
  expect((await endOn([item, { ...other, nodeId: 'n1' }, cutOff], 'members')).outcome).toMatchObject(UNKNOWN);
  expect((await endOn([{ sessions: [7] }, cutOff], 'members')).outcome).toMatchObject(UNKNOWN);
});
