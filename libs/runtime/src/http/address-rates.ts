import { isIP } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { createNetworkTest } from './client-address.js';

export interface AddressRatesOptions {
  /** The request rate of one address, or of one IPv6 network of 64 bits. */
  readonly perSecond: number;
  /** The number of requests that may arrive at once. */
  readonly burst: number;
  /** Proxies serve many clients. They are not counted, nor is this machine. */
  readonly trustedNetworks: readonly string[];
  /**
   * The maximum number of stored addresses and networks. Defaults to 65,536. Beyond it, the oldest entry is
   * removed, which gives that client a full bucket again.
   */
  readonly keptMax?: number;
  /** Called for each rejected request. */
  readonly onRefused?: () => void;
}

/** The requests of one network since its last report. */
export interface AddressUse {
  readonly network: string;
  readonly asked: number;
  readonly granted: number;
}

/**
 * A token bucket per client address in this process. Requests that other processes admitted are subtracted
 * when they report them. For a known address, a request costs one lookup and allocates nothing.
 */
export interface AddressRates {
  /**
   * Counts one request. Returns null when it is admitted. Otherwise returns `limit.address` (429) with
   * `Retry-After` and `RateLimit-*` headers.
   */
  refuse(address: string, nowMs: number): AppError | null;
  /** Returns the networks that came close to their rate since the last call. Called once a second. */
  settle(): readonly AddressUse[];
  /** Subtracts requests that another process admitted. */
  noteOthers(network: string, granted: number): void;
  /** Removes addresses that have been idle for a minute. */
  sweep(nowMs?: number): void;
}

interface Bucket {
  readonly network: string;
  tokens: number;
  filledAtMs: number;
  asked: number;
  granted: number;
}

const AWAY_MS = 60_000;
/** The share of its rate from which a network is reported. */
const TOLD_SHARE_MIN = 0.1;
const THIS_MACHINE = ['127.0.0.0/8', '::1'];

export function createAddressRates({
  perSecond,
  burst,
  trustedNetworks,
  keptMax = 65_536,
  onRefused: onRejected,
}: AddressRatesOptions): AddressRates {
  const isExempt = createNetworkTest([...THIS_MACHINE, ...trustedNetworks]);
  /** Keyed by the address as the socket reports it. Null marks addresses that are not counted. */
  const byAddress = new Map<string, Bucket | null>();
  const byNetwork = new Map<string, Bucket>();

  function bucketOf(address: string, nowMs: number): Bucket | null {
    if (byAddress.size >= keptMax) byAddress.clear();
    const network = toNetwork(address);
    const bucket =
      network === null || isExempt(address) ? null : (byNetwork.get(network) ?? addBucket(network, nowMs));
    byAddress.set(address, bucket);
    return bucket;
  }

  function addBucket(network: string, nowMs: number): Bucket {
    const [oldest] = byNetwork.keys();
    if (oldest !== undefined && byNetwork.size >= keptMax) byNetwork.delete(oldest);
    const bucket: Bucket = { network, tokens: burst, filledAtMs: nowMs, asked: 0, granted: 0 };
    byNetwork.set(network, bucket);
    return bucket;
  }

  function toError({ tokens }: Bucket): AppError {
    return new AppError('limit.address', {
      retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
      headers: {
        'RateLimit-Limit': String(burst),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(Math.ceil((burst - tokens) / perSecond)),
      },
      hint: `One address may send ${perSecond} requests a second.`,
    });
  }

  return {
    refuse(address, nowMs) {
      let bucket = byAddress.get(address);
      if (bucket === undefined) bucket = bucketOf(address, nowMs);
      if (bucket === null) return null;
      bucket.tokens = Math.min(
        burst,
        bucket.tokens + (Math.max(0, nowMs - bucket.filledAtMs) / 1_000) * perSecond,
      );
      bucket.filledAtMs = nowMs;
      bucket.asked += 1;
      if (bucket.tokens < 1) {
        onRejected?.();
        return toError(bucket);
      }
      bucket.tokens -= 1;
      bucket.granted += 1;
      return null;
    },
    settle() {
      const uses: AddressUse[] = [];
      for (const bucket of byNetwork.values()) {
        const { network, asked: requestCount, granted } = bucket;
        if (requestCount >= perSecond * TOLD_SHARE_MIN) uses.push({ network, asked: requestCount, granted });
        bucket.asked = 0;
        bucket.granted = 0;
      }
      return uses;
    },
    noteOthers(network, granted) {
      const bucket = byNetwork.get(network);
      if (bucket !== undefined) bucket.tokens = Math.max(-burst, bucket.tokens - granted);
    },
    sweep(nowMs = performance.now()) {
      for (const [network, bucket] of byNetwork)
        if (nowMs - bucket.filledAtMs > AWAY_MS) byNetwork.delete(network);
      for (const [address, bucket] of byAddress)
        if (bucket === null || byNetwork.get(bucket.network) !== bucket) byAddress.delete(address);
    },
  };
}

/** Returns the network that an address is counted with. For an invalid address, that is the text itself. */
export function networkOf(address: string): string {
  return toNetwork(address) ?? address;
}

/**
 * Returns the IPv4 address, or the first 64 bits of an IPv6 address, because one client usually owns all of
 * them. Returns null for an invalid address.
 */
export function toNetwork(address: string): string | null {
  const plain = /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)
    ? address.slice(7)
    : (address.split('%')[0] ?? '');
  const family = isIP(plain);
  if (family !== 6) return family === 4 ? plain : null;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The last two groups may be written as an IPv4 address.
  const written = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: Math.max(0, 8 - written) }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
