import type { AdminConnection } from '@rowhouse/mysql';
import type { SharedUser, WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { createNodeWatch, type NodeCheck } from './watch-node.js';

interface Faked {
  /** The memory of each of three sessions in bytes. The limit of a session is 128 KB. */
  readonly memory: number;
  /** The memory of open tables in bytes, or the error with which it cannot be read. */
  readonly tables: number | Error;
  /** Statements that fail. */
  readonly failing?: RegExp;
}

/** Checks a MySQL node once, and returns the result and the sessions that were ended. */
async function checkOnce({ memory, tables, failing }: Faked): Promise<NodeCheck & { killed: string[] }> {
  const killed: string[] = [];
  const connection = {
    async rows(sql: string) {
      if (sql.includes('max_connections')) return [{ max: 1_000, processors: '4', cache: 8 }];
      if (sql.includes('memory/sql/TABLE')) {
        if (tables instanceof Error) throw tables;
        return [{ bytes: tables }];
      }
      if (sql === 'SHOW OPEN TABLES') return [{ Database: 's', Table: 't', In_use: 60 }];
      if (sql.includes('PROCESSLIST_STATE'))
        return [1, 2, 3].map((id) => ({ id, user: 'u', command: 'Query', state_ms: 9, memory }));
      return [];
    },
    async run(sql: string) {
      if (failing?.test(sql) === true) throw new Error('not possible');
      if (sql.startsWith('KILL')) killed.push(sql);
    },
    isLost: () => false,
    close: async () => undefined,
  } as unknown as AdminConnection;
  const ctx = {
    access: {
      openNodeObserver: async () => connection,
      openNodeProvisioner: async () => connection,
      useReadyProvisioner: () => Promise.reject(new Error('the server is full')),
    },
    logger: { warn: () => undefined },
  } as unknown as Pick<WorkerContext, 'access' | 'logger'>;
  const node = { id: 'srv_1', host: 'h', port: 1, engine: 'mysql', engineVersion: '8.4.0' } as WorkerServer;
  const user = { id: 'con_1', userName: 'u', ownerId: 'acc', schemaName: 's' } as SharedUser;
  const result = await createNodeWatch(ctx, node).check({
    users: new Map([['u', user]]),
    settings: {
      memoryMb: 1,
      tempDiskMb: 1,
      idleTransactionSeconds: 60,
      transactionSeconds: 60,
      statementsPerProcessor: 0,
    },
    server: { connectionsMax: 8, directConnectionsMax: null, isDedicated: false },
    isRestricted: () => false,
  });
  return { ...result, killed };
}

const listIds = ({ verdicts }: NodeCheck): number[] => verdicts.map(({ session }) => session.id);

it('the reasons for ended sessions are returned although a later step of the check fails', async () => {
  const fault = new Error('the server is full');
  const result = await checkOnce({ memory: 200_000, tables: fault });
  expect(result.killed).toHaveLength(3);
  expect([listIds(result).length, result.faults]).toEqual([3, [fault]]);
});

it('the reasons for sessions ended because of their tables are returned although a table stays open', async () => {
  const result = await checkOnce({ memory: 0, tables: 10_000_000, failing: /^FLUSH/ });
  expect(result.killed).toHaveLength(3);
  expect([listIds(result).length, result.faults.length]).toEqual([3, 1]);
});

it('a session that cannot be ended does not keep a node from ending the others', async () => {
  const result = await checkOnce({ memory: 200_000, tables: 0, failing: /^KILL 2$/ });
  expect(result.killed.toSorted()).toEqual(['KILL 1', 'KILL 3']);
  expect([listIds(result).toSorted((a, b) => a - b), result.faults.length]).toEqual([[1, 3], 1]);
});
