import { AppError } from '@rowhouse/errors';
import { networkOf } from '@rowhouse/runtime';
import { LRUCache } from 'lru-cache';

/**
 * Remembers keys that do not exist, each for at most a second, and limits the number of such keys that a
 * client address may send. They are stored separately from valid keys, so that guessed keys cannot evict
 * valid ones from memory.
 */
export interface UnknownKeys {
  isKnownMiss(keyHash: string, nowMs: number): boolean;
  /**
   * Checks the address before a lookup. IPv6 addresses of one 64-bit network count together. A null address
   * is not limited.
   *
   * @throws AppError 429 when the address had too many misses in this second
   */
  checkAddress(address: string | null, nowMs: number): void;
  noteMiss(keyHash: string, address: string | null, nowMs: number): void;
}

const MISS_TTL_MS = 1_000;
const MISSES_MAX = 10_000;
const PER_ADDRESS_MAX = 20;
const WINDOW_MS = 1_000;
const ADDRESSES_MAX = 10_000;

export function createUnknownKeys(): UnknownKeys {
  const misses = new LRUCache<string, number>({ max: MISSES_MAX });
  const addresses = new LRUCache<string, { startMs: number; count: number }>({ max: ADDRESSES_MAX });

  function windowOf(network: string, nowMs: number): { startMs: number; count: number } | undefined {
    const window = addresses.get(network);
    return window !== undefined && nowMs - window.startMs < WINDOW_MS ? window : undefined;
  }

  return {
    isKnownMiss: (keyHash, nowMs) => (misses.get(keyHash) ?? 0) > nowMs,
    checkAddress(address, nowMs) {
      if (address === null) return;
      if ((windowOf(networkOf(address), nowMs)?.count ?? 0) >= PER_ADDRESS_MAX)
        throw new AppError('limit.unknown_keys', { retryAfterSeconds: 1 });
    },
    noteMiss(keyHash, address, nowMs) {
      misses.set(keyHash, nowMs + MISS_TTL_MS);
      if (address === null) return;
      const network = networkOf(address);
      const window = windowOf(network, nowMs);
      if (window !== undefined) {
        window.count += 1;
        return;
      }
      addresses.set(network, { startMs: nowMs, count: 1 });
    },
  };
}
