import type { AdminConnection } from '@rowhouse/mysql';
import { expect, it, vi } from 'vitest';
import { openPrepared } from './lazy-connection.js';

function makeConnection(run: () => Promise<void>): {
  readonly connection: AdminConnection;
  readonly close: ReturnType<typeof vi.fn>;
} {
  const close = vi.fn(async () => undefined);
  return { connection: { run, close } as unknown as AdminConnection, close };
}

it('openPrepared returns a session once it is prepared', async () => {
  const messages: string[] = [];
  const { connection, close } = makeConnection(async () => void messages.push('prepared'));
  expect(await openPrepared(Promise.resolve(connection), (opened) => opened.run('SET x = 1'))).toBe(
    connection,
  );
  expect([messages, close.mock.calls.length]).toEqual([['prepared'], 0]);
});

it('openPrepared closes a session that cannot be prepared and throws the error', async () => {
  const { connection, close } = makeConnection(() => Promise.reject(new Error('refused')));
  await expect(
    openPrepared(Promise.resolve(connection), (opened) => opened.run('SET x = 1')),
  ).rejects.toThrow('refused');
  expect(close).toHaveBeenCalledOnce();
});
