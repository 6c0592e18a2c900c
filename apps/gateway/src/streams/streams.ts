import { createGate, type Gate } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { Counter, Gauge, type Registry } from '@rowhouse/runtime';
import { ClientDisconnectedError } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';

/** Limits the running streams and their use of the servers. */
export interface Streams {
  /**
   * Runs a stream and counts its end in the metrics.
   *
   * @throws AppError `limit.streams` (429) when the key already has four streams
   */
  run<T>(tenant: Tenant, kind: StreamKind, callback: () => Promise<T>): Promise<T>;
  /**
   * Runs a statement of a stream. The statements of one kind share the slots of their database and of its
   * server.
   */
  runInSlot<T>(database: TenantDatabase, queue: StreamQueue, callback: () => Promise<T>): Promise<T>;
  /** The maximum number of connections per account that streams hold at once. */
  readonly connectionsMax: number;
}

export type StreamKind = 'list' | 'query' | 'import';
/**
 * The kinds of statements. Each kind has its own queue, because a statement for a part of a list is short,
 * but one for a whole list may take a minute.
 */
export type StreamQueue = 'part' | 'whole' | 'query';

/** The number of statements of each kind that one database may run at once. */
const STATEMENTS_PER_DATABASE = 2;
const LIST_QUEUES = 2;
/** The share of a server's connections that each kind may use. The rest is for short requests. */
const SERVER_SHARE = 1 / 4;
/** The maximum time to wait for a slot. */
const SLOT_WAIT_MS = 30_000;

export function createStreams(registry: Registry): Streams {
  const running = new Map<string, number>();
  const gates = new Map<string, { readonly gate: Gate; users: number }>();
  const ended = new Counter({
    name: 'gateway_streams_total',
    help: 'Streams that ended, by kind and how',
    labelNames: ['kind', 'end'],
    registers: [registry],
  });
  const open = new Gauge({ name: 'gateway_streams_open', help: 'Open streams', registers: [registry] });

  /** Runs work in a gate. A gate exists only while requests use it or wait for it. */
  async function through<T>(name: string, runningMax: number, callback: () => Promise<T>): Promise<T> {
    let entry = gates.get(name);
    if (entry === undefined) {
      entry = {
        gate: createGate({ runningMax, waitingMax: 10_000, waitMs: SLOT_WAIT_MS, toError: queueFull }),
        users: 0,
      };
      gates.set(name, entry);
    }
    entry.users += 1;
    try {
      return await entry.gate.run(callback);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) gates.delete(name);
    }
  }

  return {
    connectionsMax: STATEMENTS_PER_DATABASE * LIST_QUEUES,
    async run(tenant, kind, callback) {
      const count = running.get(tenant.key.id) ?? 0;
      if (count >= LIMITS.streamsPerKeyMax)
        throw new AppError('limit.streams', {
          retryAfterSeconds: 5,
          hint: `A key can have ${LIMITS.streamsPerKeyMax} open streams at once.`,
        });
      running.set(tenant.key.id, count + 1);
      open.inc();
      let end = 'done';
      try {
        return await callback();
      } catch (error) {
        end = nameEnd(error);
        throw error;
      } finally {
        open.dec();
        ended.inc({ kind, end });
        const remaining = (running.get(tenant.key.id) ?? 1) - 1;
        if (remaining === 0) running.delete(tenant.key.id);
        else running.set(tenant.key.id, remaining);
      }
    },
    runInSlot({ server, record }, queue, callback) {
      const perServer = Math.max(1, Math.floor(server.connectionsMax * SERVER_SHARE));
      return through(`${queue} ${record.id}`, STATEMENTS_PER_DATABASE, () =>
        through(`${queue} ${server.id}`, perServer, callback),
      );
    },
  };
}

function queueFull(): AppError {
  return new AppError('limit.busy', {
    retryAfterSeconds: 5,
    internal: 'too many streams on this database or its server',
  });
}

/**
 * Returns how a stream ended: `gone`, `fault` or the error code, for example of a revoked key (`auth`) or a
 * changed schema (`db`).
 */
function nameEnd(error: unknown): string {
  if (error instanceof ClientDisconnectedError) return 'gone';
  return error instanceof AppError ? error.code : 'fault';
}
