import {
  createSharedTokenBucket,
  type RateUse,
  type SharedRates,
  type SharedTokenBucket,
} from '@rowhouse/admission';
import type { Rate } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Tenant } from '../tenant/tenant.js';
import { LIMITS } from './limits.js';

/** An admitted request. Call `release` exactly once. */
export interface AdmittedRequest {
  /** The `RateLimit-*` headers. Empty when no rate applies. */
  readonly headers: Readonly<Record<string, string>>;
  release(): void;
}

/**
 * Admits requests. It checks their origin, the number of concurrent requests of the key, and the rate of the
 * key or its database. The counts are those of this process.
 */
export interface RequestAdmission extends SharedRates {
  /**
   * @throws AppError `limit.concurrency`, `limit.rate` (429, with Retry-After) or `auth.origin_refused` (403)
   */
  admit(tenant: Tenant, origin: string | undefined): AdmittedRequest;
  /** Removes the counters of keys and databases without a request in the last minute. */
  sweep(): void;
}

interface Counter {
  running: number;
  lastMs: number;
  readonly bucket: SharedTokenBucket;
}

/** The headers of a request to which no rate applies. */
export const NO_HEADERS: Readonly<Record<string, string>> = {};
const SWEEP_AFTER_MS = 60_000;

/**
 * Creates the admission. `ownOrigins` are the origins of this installation's pages, which every database
 * allows.
 */
export function createRequestAdmission(ownOrigins: readonly string[] = []): RequestAdmission {
  const keys = new Map<string, Counter>();
  const databases = new Map<string, Counter>();
  /** The buckets that were used, by the id of their key or database. */
  const rated = new Map<string, SharedTokenBucket>();

  function counterOf(counters: Map<string, Counter>, id: string): Counter {
    let counter = counters.get(id);
    if (counter === undefined) {
      counter = { running: 0, lastMs: 0, bucket: createSharedTokenBucket() };
      counters.set(id, counter);
    }
    return counter;
  }

  /**
   * Returns whether both lists allow the origin. Null allows all origins, and so does a list that is missing
   * in a record of an older version.
   */
  function isAllowed(
    origin: string,
    ofKey: readonly string[] | null,
    ofDatabase: readonly string[] | null | undefined,
  ): boolean {
    return (
      (ofKey?.includes(origin) ?? true) &&
      (ofDatabase?.includes(origin) !== false || ownOrigins.includes(origin))
    );
  }

  function admit(tenant: Tenant, origin: string | undefined): AdmittedRequest {
    const { key, database } = tenant;
    if (origin !== undefined && !isAllowed(origin, key.origins, database.record.settings.allowed_origins))
      throw new AppError('auth.origin_refused');
    const nowMs = performance.now();
    const counter = counterOf(keys, key.id);
    counter.lastMs = nowMs;
    if (counter.running >= LIMITS.requestsPerKeyMax) {
      throw new AppError('limit.concurrency', {
        retryAfterSeconds: 1,
        hint: `A key can run ${LIMITS.requestsPerKeyMax} requests at once.`,
      });
    }
    const rate = key.rate ?? database.record.settings.rate;
    const headers =
      rate === null
        ? NO_HEADERS
        : key.rate === null
          ? takeToken(rate, key.databaseId, counterOf(databases, key.databaseId), nowMs)
          : takeToken(rate, key.id, counter, nowMs);
    counter.running += 1;
    return {
      headers,
      release() {
        counter.running -= 1;
      },
    };
  }

  function takeToken(
    rate: Rate,
    id: string,
    counter: Counter,
    nowMs: number,
  ): Readonly<Record<string, string>> {
    counter.lastMs = nowMs;
    rated.set(id, counter.bucket);
    const taken = counter.bucket.take(rate, nowMs);
    const headers = {
      'RateLimit-Limit': String(rate.burst),
      'RateLimit-Remaining': String(taken.remaining),
      'RateLimit-Reset': String(taken.resetSeconds),
    };
    if (taken.isGranted) return headers;
    throw new AppError('limit.rate', {
      retryAfterSeconds: taken.retryAfterSeconds,
      headers,
      hint: `The limit is ${rate.per_second} requests per second.`,
    });
  }

  return {
    admit,
    settleRates() {
      const uses: RateUse[] = [];
      for (const [id, bucket] of rated) {
        const { requested, granted } = bucket.settle();
        if (requested > 0) uses.push({ id, requested, granted });
      }
      return uses;
    },
    noteOthers: ({ id, ...report }) => rated.get(id)?.noteOthers(report),
    sweep() {
      const beforeMs = performance.now() - SWEEP_AFTER_MS;
      for (const counters of [keys, databases]) {
        for (const [id, counter] of counters) {
          if (counter.running > 0 || counter.lastMs >= beforeMs) continue;
          counters.delete(id);
          rated.delete(id);
        }
      }
    },
  };
}
