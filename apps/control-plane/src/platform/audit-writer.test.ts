import { createAuditChain } from '@rowhouse/credentials';
import type { EntityManager } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../access/request-context.js';
import type { PlatformDb } from '../platform-db/platform-db.js';
import type { AuditOutbox } from './audit-outbox.js';
import { AuditWriter } from './audit-writer.js';
import type { Secrets } from './secrets.js';

const CALL = {
  address: '127.0.0.1',
  requestId: 'req_1',
  reachOrNone: null,
  callerOrNone: null,
} as unknown as RequestContext;
const chain = createAuditChain(Buffer.alloc(32, 1));

interface Row {
  readonly action: string;
  readonly chainSeq: number;
}

/**
 * Creates an audit log in memory. It rejects an event with the action `bad`, with the error number `errno`.
 */
function openLog(errno = 1406) {
  const log = { rows: [] as Row[], transactions: 0, atOnce: 0, atOnceMax: 0 };
  const head = { seq: 0, link: Buffer.alloc(32) };
  const manager = {
    query: (sql: string, [seq, link]: [number, Buffer] = [0, head.link]) => {
      if (sql.startsWith('UPDATE')) Object.assign(head, { seq, link });
      return Promise.resolve([{ ...head }]);
    },
    getRepository: () => ({
      insert(rows: Row[]) {
        if (rows.some(({ action }) => action === 'bad'))
          return Promise.reject(Object.assign(new Error('refused'), { errno }));
        log.rows.push(...rows);
        return Promise.resolve();
      },
    }),
  } as unknown as EntityManager;
  const db = {
    nowMs: () => 0,
    async globalTransaction(callback: (with_: EntityManager) => Promise<void>) {
      log.transactions += 1;
      log.atOnce += 1;
      log.atOnceMax = Math.max(log.atOnceMax, log.atOnce);
      await new Promise(setImmediate);
      try {
        await callback(manager);
      } finally {
        log.atOnce -= 1;
      }
    },
  } as unknown as PlatformDb;
  return { log, writer: new AuditWriter(db, { auditChain: chain } as unknown as Secrets, {} as AuditOutbox) };
}

const writeAll = (writer: AuditWriter, actions: readonly string[]): Promise<string[]> =>
  Promise.all(
    actions.map((action) =>
      writer.write(CALL, { action, target: '' }).then(
        () => 'written',
        (error: Error) => error.message,
      ),
    ),
  );

describe('the audit writer', () => {
  it("the audit writer omits members of an event's details that are too long", async () => {
    const { log, writer } = openLog();
    const write = (detail: Record<string, unknown>): Promise<void> =>
      writer.write(CALL, { action: 'a', target: '', detail });
    await write({ name: 'app', tables: 'x'.repeat(10_000) });
    await write({ name: 'app', tables: 'x'.repeat(20_000) });
    expect(log.rows.map((row) => (row as unknown as { detail: unknown }).detail)).toEqual([
      { name: 'app', tables: 'x'.repeat(10_000) },
      { name: 'app', tables: { omitted_characters: 20_002 } },
    ]);
  });

  it('the audit writer stores the events of concurrent calls in order, in a few transactions', async () => {
    const { log, writer } = openLog();
    const actions = Array.from({ length: 150 }, (_, index) => `a${index}`);
    expect(new Set(await writeAll(writer, actions))).toEqual(new Set(['written']));
    expect(log.rows.map(({ action, chainSeq }) => [action, chainSeq])).toEqual(
      actions.map((action, index) => [action, index + 1]),
    );
    expect([log.transactions, log.atOnceMax]).toEqual([3, 1]);
    expect(await writeAll(writer, ['later'])).toEqual(['written']);
  });

  it('the audit writer rejects an event that the database rejects, and stores the others', async () => {
    const { log, writer } = openLog();
    expect(await writeAll(writer, ['first', 'a', 'bad', 'b'])).toEqual([
      'written',
      'written',
      'refused',
      'written',
    ]);
    expect(log.rows.map(({ chainSeq }) => chainSeq)).toEqual([1, 2, 3]);
  });

  it('the audit writer does not retry events while the head of the log stays locked', async () => {
    const { log, writer } = openLog(1205);
    expect(await writeAll(writer, ['first', 'a', 'bad', 'b'])).toEqual([
      'written',
      'refused',
      'refused',
      'refused',
    ]);
    expect(log.transactions).toBe(2);
  });
});
