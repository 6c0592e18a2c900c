import { AppError } from '@rowhouse/errors';
import { createNetworkTest, THIS_MACHINE, toNetwork } from '@rowhouse/runtime';
import { TokenBucket } from './token-bucket.js';

export interface AddressRatesOptions {
  /** The maximum number of requests per second for one IP address, or for one IPv6 network of 64 bits. */
  readonly perSecond: number;
  /** The maximum number of requests that may arrive at the same time. */
  readonly burst: number;
  /**
   * The networks of proxies, each of which serves many clients. They are not limited. Neither is this
   * machine.
   */
  readonly trustedNetworks: readonly string[];
  /**
   * The maximum number of stored addresses and networks. The default is 65,536. If there are more, the oldest
   * entry is removed. The bucket of its client is then full again.
   */
  readonly storedMax?: number;
  /** Called for each rejected request. */
  readonly onRejected?: () => void;
}

/** The requests that a network sent since its last report. */
export interface AddressUse {
  readonly network: string;
  readonly requested: number;
  readonly granted: number;
}

/**
 * Has a token bucket for each client address in this process. Requests that other processes report are
 * subtracted from it. A request from a known address needs one lookup and no memory allocation.
 */
export interface AddressRates {
  /**
   * Counts one request. Returns null if it is accepted. Otherwise returns `limit.address` (429) with the
   * headers `Retry-After` and `RateLimit-*`.
   */
  reject(address: string, nowMs: number): AppError | null;
  /**
   * Returns the networks that have used at least a tenth of their rate since the previous call. Call it once
   * a second.
   */
  settle(): readonly AddressUse[];
  /** Subtracts the requests that another process has accepted from the network's bucket. */
  noteOthers(network: string, granted: number): void;
  /** Removes addresses that have sent no request for a minute. */
  sweep(nowMs?: number): void;
}

interface NetworkBucket {
  readonly network: string;
  readonly bucket: TokenBucket;
}

const IDLE_MS = 60_000;
/** The share of its rate from which the use of a network is reported. */
const REPORTED_SHARE_MIN = 0.1;

export function createAddressRates({
  perSecond,
  burst,
  trustedNetworks,
  storedMax = 65_536,
  onRejected,
}: AddressRatesOptions): AddressRates {
  const isExempt = createNetworkTest([...THIS_MACHINE, ...trustedNetworks]);
  /** Buckets by address, in the form that the socket returns. Null for an address that is not limited. */
  const byAddress = new Map<string, NetworkBucket | null>();
  const byNetwork = new Map<string, NetworkBucket>();

  function bucketOf(address: string): NetworkBucket | null {
    if (byAddress.size >= storedMax) byAddress.clear();
    const network = toNetwork(address);
    const found =
      network === null || isExempt(address) ? null : (byNetwork.get(network) ?? addBucket(network));
    byAddress.set(address, found);
    return found;
  }

  function addBucket(network: string): NetworkBucket {
    const [oldest] = byNetwork.keys();
    if (oldest !== undefined && byNetwork.size >= storedMax) byNetwork.delete(oldest);
    const added = { network, bucket: new TokenBucket() };
    byNetwork.set(network, added);
    return added;
  }

  function toError(bucket: TokenBucket): AppError {
    return new AppError('limit.address', {
      retryAfterSeconds: Math.max(1, bucket.secondsUntil(1, perSecond)),
      headers: {
        'RateLimit-Limit': String(burst),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(bucket.secondsUntil(burst, perSecond)),
      },
      hint: `An IP address can send ${perSecond} requests per second.`,
    });
  }

  return {
    reject(address, nowMs) {
      let found = byAddress.get(address);
      if (found === undefined) found = bucketOf(address);
      if (found === null || found.bucket.take(perSecond, burst, nowMs)) return null;
      onRejected?.();
      return toError(found.bucket);
    },
    settle() {
      const uses: AddressUse[] = [];
      for (const { network, bucket } of byNetwork.values()) {
        if (bucket.requested >= perSecond * REPORTED_SHARE_MIN)
          uses.push({ network, ...bucket.takeReport() });
        else bucket.clearReport();
      }
      return uses;
    },
    noteOthers: (network, granted) => byNetwork.get(network)?.bucket.remove(granted, burst),
    sweep(nowMs = performance.now()) {
      for (const [network, { bucket }] of byNetwork)
        if (nowMs - bucket.filledAtMs > IDLE_MS) byNetwork.delete(network);
      for (const [address, found] of byAddress)
        if (found === null || byNetwork.get(found.network) !== found) byAddress.delete(address);
    },
  };
}
