import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
    dropSessionKey('db_1');
    expect(await secretOf('db_1')).toBe('key 2');
    forgetSessionKeys();
    send.mockRejectedValueOnce(new Error('offline'));
    await expect(secretOf('db_1')).rejects.toThrow('offline');
    expect(await secretOf('db_1')).toBe('key 3');
  });
});
