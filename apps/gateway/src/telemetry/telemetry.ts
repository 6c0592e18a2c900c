import type { GatewayTelemetry, KeyUseRow, RequestLogRow, UsageRow } from '@rowhouse/platform-store';
import type { Tenant } from '../tenant/tenant.js';
import { createLogSample } from './log-sample.js';
import type { Observation } from './trace.js';

/**
 * If a request takes at least this many milliseconds, its shape is recorded, so that indexes can be
 * suggested.
 */
const SLOW_MS = 100;

const SHAPE_CHARACTERS_MAX = 300;

/** The query parameters that are not column names. */
const RESERVED = new Set([
  'page',
  'limit',
  'sort',
  'order',
  'include',
  'fields',
  'select',
  'cursor',
  'offset',
  'count',
  'q',
]);

const NAME = /^[a-z]\w*$/i;

/** Matches sort keys with an explicit order of NULL, for which no index is suggested. */
const NULLS = /:nulls_/i;

/**
 * Counts the use by tenants, and writes it to the platform database at fixed intervals.
 */
export interface Telemetry {
  note(observation: Observation, tenant: Tenant): void;
  /** Writes the remaining data. */
  stop(): Promise<void>;
}

type UsageCount = { -readonly [K in keyof UsageRow]: UsageRow[K] };

const USAGE_INTERVAL_MS = 60_000;
const LOG_INTERVAL_MS = 5_000;
/**
 * The maximum number of rows that one statement writes. Larger statements take longer to build, and their
 * commits delay other statements of the server.
 */
const ROWS_PER_STATEMENT = 500;
const LAST_USE_MS = 600_000;
const KEYS_PER_FLUSH_MAX = 5_000;
/** The maximum number of key and route pairs per flush. */
const USES_PER_FLUSH_MAX = 20_000;
/** The plans that only read, whatever the method of the request. */
const READING_PLANS: ReadonlySet<string> = new Set([
  '',
  'list',
  'read',
  'aggregate',
  'select',
  'explain',
  'show_tables',
  'describe',
  'replay',
]);

/** Starts the telemetry. `onWrite` is called after a write to a database. */
export function startTelemetry(
  store: GatewayTelemetry,
  onFault: (error: unknown) => void,
  onWrite: (databaseId: string) => void,
): Telemetry {
  const usage = new Map<string, UsageCount>();
  const lastUse = new Map<string, number>();
  const usedKeys = new Set<string>();
  const keyUse = createKeyUse();
  const log = createLogSample();

  async function flushUsage(): Promise<void> {
    const rows = [...usage.values()];
    const keys = [...usedKeys];
    usage.clear();
    usedKeys.clear();
    const uses = keyUse.take();
    await flush(rows, (some) => store.addUsage(some));
    await flush(keys, (some) => store.touchKeys(some));
    await flush(uses, (some) => store.addKeyUse(some));
  }

  async function flushLog(): Promise<void> {
    await flush(log.take(), (some) => store.append(some));
  }

  async function flush<T>(all: readonly T[], write: (some: readonly T[]) => Promise<void>): Promise<void> {
    for (let index = 0; index < all.length; index += ROWS_PER_STATEMENT)
      await write(all.slice(index, index + ROWS_PER_STATEMENT)).catch(onFault);
  }

  let minute = { startMs: Number.NEGATIVE_INFINITY, text: '' };

  function minuteOf(nowMs: number): string {
    if (nowMs - minute.startMs >= 60_000 || nowMs < minute.startMs) {
      const startMs = nowMs - (nowMs % 60_000);
      minute = { startMs, text: new Date(startMs).toISOString().slice(0, 19).replace('T', ' ') };
    }
    return minute.text;
  }

  function countUsage(observation: Observation, databaseId: string, minute: string): void {
    const name = `${databaseId} ${minute}`;
    let count = usage.get(name);
    if (count === undefined) {
      count = {
        databaseId,
        minute,
        requests: 0,
        errors: 0,
        limited: 0,
        rowsOut: 0,
        bytesOut: 0,
        durationUs: 0,
      };
      usage.set(name, count);
    }
    count.requests += 1;
    if (observation.status >= 500) count.errors += 1;
    if (observation.status === 429) count.limited += 1;
    count.rowsOut += observation.notes.rows;
    count.bytesOut += observation.bytes;
    count.durationUs += observation.durationMs * 1_000;
  }

  function noteUse(keyId: string, nowMs: number): void {
    if (
      nowMs - (lastUse.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USE_MS ||
      usedKeys.size >= KEYS_PER_FLUSH_MAX
    )
      return;
    if (lastUse.size > 100_000) lastUse.clear();
    lastUse.set(keyId, nowMs);
    usedKeys.add(keyId);
  }

  const timers = [
    setInterval(() => void flushUsage(), USAGE_INTERVAL_MS),
    setInterval(() => void flushLog(), LOG_INTERVAL_MS),
  ];
  return {
    note(observation, tenant) {
      const nowMs = Date.now();
      if (
        observation.method !== 'GET' &&
        observation.status < 300 &&
        !READING_PLANS.has(observation.notes.plan)
      )
        onWrite(tenant.key.databaseId);
      countUsage(observation, tenant.key.databaseId, minuteOf(nowMs));
      noteUse(tenant.key.id, nowMs);
      keyUse.count(tenant, observation.notes.route);
      if (observation.notes.alsoRoutes !== null)
        for (const route of observation.notes.alsoRoutes) keyUse.count(tenant, route);
      log.add(tenant.key.databaseId, () => toLogRow(observation, tenant, new Date(nowMs)));
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([flushUsage(), flushLog()]);
    },
  };
}

/** Creates a counter of requests by key and route. */
function createKeyUse(): { count(tenant: Tenant, route: string): void; take(): KeyUseRow[] } {
  let keys = new Map<string, { readonly databaseId: string; readonly routes: Map<string, number> }>();
  let size = 0;
  return {
    count({ key }, route) {
      let entry = keys.get(key.id);
      if (entry === undefined) keys.set(key.id, (entry = { databaseId: key.databaseId, routes: new Map() }));
      const known = entry.routes.get(route);
      if (known === undefined && (size += 1) > USES_PER_FLUSH_MAX) return;
      entry.routes.set(route, (known ?? 0) + 1);
    },
    take() {
      const rows = [...keys].flatMap(([keyId, { databaseId, routes }]) =>
        [...routes].map(([route, requests]) => ({ databaseId, keyId, route, requests })),
      );
      keys = new Map();
      size = 0;
      return rows;
    },
  };
}

function toLogRow(observation: Observation, tenant: Tenant, date: Date): RequestLogRow {
  return {
    databaseId: tenant.key.databaseId,
    at: date.toISOString().replace('T', ' ').slice(0, 23),
    requestId: observation.requestId,
    keyId: tenant.key.id,
    method: observation.method.slice(0, 10),
    route: observation.notes.route.slice(0, 200),
    status: observation.status,
    code: observation.error?.code ?? '',
    durationUs: observation.durationMs * 1_000,
    rowsOut: observation.notes.rows,
    shape: observation.durationMs >= SLOW_MS ? describeShape(observation.url) : null,
  };
}

/**
 * Describes a list request by its column names, without values: `where user_id, published sort created_at`.
 * Returns null when the request names none. The names are not checked against the table.
 */
export function describeShape(url: string): string | null {
  const mark = url.indexOf('?');
  if (mark < 0) return null;
  const where = new Set<string>();
  const sort = new Set<string>();
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (name === 'sort') {
      for (const key of value.split(','))
        if (NAME.test(toColumn(key)) && !NULLS.test(key)) sort.add(toColumn(key));
    } else if (!RESERVED.has(name) && NAME.test(toColumn(name))) where.add(toColumn(name));
  }
  const parts = [
    ...(where.size === 0 ? [] : [`where ${[...where].join(', ')}`]),
    ...(sort.size === 0 ? [] : [`sort ${[...sort].join(', ')}`]),
  ];
  return parts.length === 0 ? null : parts.join(' ').slice(0, SHAPE_CHARACTERS_MAX);
}

/** Returns the column name: `created_at__gte` and `-created_at` give `created_at`. */
function toColumn(text: string): string {
  return (text.split('__')[0] ?? '').replace(/^[+\-\s]+/, '').replace(/:.*$/, '');
}
