import { Readable } from 'node:stream';
import type { AdminConnection } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import type { HeldLease } from '../worker-context.js';
import { holdConnection } from './hold-connection.js';

interface Rig {
  readonly lease: HeldLease;
  readonly lose: () => void;
  readonly sent: string[];
  readonly open: () => Promise<AdminConnection>;
}

/** Creates a session that responds to all statements except `hang`. */
function makeRig(): Rig {
  const controller = new AbortController();
  const sent: string[] = [];
  const answer = (sql: string): Promise<unknown> => (
    sent.push(sql),
    sql === 'hang' ? new Promise(() => undefined) : Promise.resolve([])
  );
  const connection = {
    threadId: 7,
    rows: answer,
    run: answer,
    jsonColumns: answer,
    isLost: () => false,
    stream: () => {
      const rows = new Readable({ objectMode: true, read: () => undefined });
      rows.push(1);
      return rows;
    },
    close: () => (sent.push('close'), Promise.resolve()),
    drop: () => sent.push('drop'),
  } as unknown as AdminConnection;
  return {
    lease: { signal: controller.signal, assertHeld: () => controller.signal.throwIfAborted() },
    lose: () => controller.abort(),
    sent,
    open: () => Promise.resolve(connection),
  };
}

it('session calls are passed on while the lease is held', async () => {
  const { lease, sent, open } = makeRig();
  const held = await holdConnection(lease, open);
  expect([held.threadId, await held.rows('SELECT 1'), await held.run('DO 0')]).toEqual([7, [], []]);
  await held.close();
  expect(sent).toEqual(['SELECT 1', 'DO 0', 'close']);
});

it('losing the lease closes the session and rejects calls in progress', async () => {
  const { lease, lose, sent, open } = makeRig();
  const held = await holdConnection(lease, open);
  const underWay = [held.rows('hang'), held.run('hang'), readAll(held.stream('rows'))].map((pending) =>
    expect(pending).rejects.toThrow(/abort/),
  );
  lose();
  await Promise.all(underWay);
  await expect(held.run('DELETE')).rejects.toThrow(/abort/);
  expect(() => held.stream('rows')).toThrow(/abort/);
  expect(sent).toEqual(['hang', 'hang', 'drop']);
});

it('no session is opened once the lease is lost, and one that opens late is closed', async () => {
  const { lease, lose, sent, open } = makeRig();
  await expect(
    holdConnection(lease, async () => {
      lose();
      return open();
    }),
  ).rejects.toThrow(/abort/);
  expect(sent).toEqual(['drop']);
  await expect(holdConnection(lease, open)).rejects.toThrow(/abort/);
  expect(sent).toEqual(['drop']);
});

it('a session that was closed before the lease was lost is not closed again', async () => {
  const { lease, lose, sent, open } = makeRig();
  await (await holdConnection(lease, open)).close();
  lose();
  expect(sent).toEqual(['close']);
});

async function readAll(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const row of rows) expect(row).toBe(1);
}
