import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callGateway } from './call-gateway.js';
import { dropSessionKey, forgetSessionKeys, readSessionKey } from './session-keys.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));

describe('console keys', () => {
  let createdCount = 0;
  beforeEach(() => {
    createdCount = 0;
    send.mockReset().mockImplementation(async () => ({ secret: `key ${(createdCount += 1)}`, scopes: [] }));
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    forgetSessionKeys();
    vi.useRealTimers();
  });
  const secretOf = async (...args: Parameters<typeof readSessionKey>): Promise<string> =>
    (await readSessionKey(...args)).secret;

  it('readSessionKey creates one key per database and purpose for concurrent callers', async () => {
    expect(await Promise.all([secretOf('db_1'), secretOf('db_1')])).toEqual(['key 1', 'key 1']);
    expect(await secretOf('db_2')).toBe('key 2');
    expect(await secretOf('db_1', 'sql-writes')).toBe('key 3');
    expect(send).toHaveBeenLastCalledWith('POST', '/api/databases/db_1/session-key', { sql_writes: true });
  });

  it('readSessionKey replaces a key before its 15 minutes are over', async () => {
    await secretOf('db_1');
    vi.advanceTimersByTime(11 * 60_000);
    expect(await secretOf('db_1')).toBe('key 1');
    vi.advanceTimersByTime(2 * 60_000);
    expect(await secretOf('db_1')).toBe('key 2');
  });

  it('readSessionKey creates a new key after a rejection or a failure', async () => {
    await secretOf('db_1');
    dropSessionKey('db_1', 'rows', 'key 1');
    expect(await secretOf('db_1')).toBe('key 2');
    forgetSessionKeys();
    send.mockRejectedValueOnce(new Error('offline'));
    await expect(secretOf('db_1')).rejects.toThrow('offline');
    expect(await secretOf('db_1')).toBe('key 3');
  });

  it('a rejected key is replaced once, even if parallel requests report it late', async () => {
    const release: (() => void)[] = [];
    vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
      if ((headers as Record<string, string>)['Authorization'] !== 'Bearer key 1') return new Response('[]');
      await new Promise<void>((resolve) => release.push(resolve));
      return new Response('{}', { status: 401 });
    });
    const database = { id: 'db_1', base_url: 'http://gateway.test' };
    const calls = [1, 2, 3].map(() => callGateway(database, { path: '/posts' }));
    await vi.waitUntil(() => release.length === 3);
    for (const [index, call] of calls.entries()) {
      release[index]?.();
      expect((await call).status).toBe(200);
    }
    expect(send).toHaveBeenCalledTimes(2);
    vi.unstubAllGlobals();
  });

  it('a failed request for a key leaves a newer key in place', async () => {
    let fail = (): void => undefined;
    send.mockImplementationOnce(
      () => new Promise((_resolve, reject) => (fail = () => reject(new Error('offline')))),
    );
    const first = secretOf('db_1');
    forgetSessionKeys();
    expect(await secretOf('db_1')).toBe('key 1');
    fail();
    await expect(first).rejects.toThrow('offline');
    expect(await secretOf('db_1')).toBe('key 1');
  });
});
