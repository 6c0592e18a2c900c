import type { IncomingMessage } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { createByteChunks, findHeaderFault, type AddressReader } from '@rowhouse/runtime';
import { LIMITS } from '../limits/limits.js';
import type { CredentialHasher } from '../tenant/credential-hasher.js';
import { resolveTenant, type TenantServices } from '../tenant/open-tenant.js';
import { readCredential } from '../tenant/read-credential.js';
import { takesKey } from './route.js';

interface EarlyServices extends TenantServices {
  readonly hashKey: CredentialHasher;
  readonly readAddress: AddressReader;
}

/**
 * Receives whole request bodies. One timer serves them all, because nearly every body arrives immediately.
 */
export interface BodyReceiver {
  /**
   * Calls `done` once, with the bytes or with an error: 400 for an incomplete body, 408 after the time limit,
   * 413 for a large body, or 503 when all bodies together take too much memory. While the body arrives,
   * `findRejection` may reject the request.
   */
  receive(
    req: IncomingMessage,
    tooLargeHint: string,
    done: (error: Error | null, body?: Buffer) => void,
    findRejection?: FindRejection,
  ): void;
  /** Stops counting a body, after the request that used it has ended. */
  release(body: Buffer): void;
  stop(): void;
}

/** Returns an error if the request can be rejected before its body has arrived, or null. */
export type FindRejection = (req: IncomingMessage) => Promise<AppError | null>;

const CLOCK_INTERVAL_MS = 1_000;
/** The maximum size in bytes of all bodies that are being received or processed, over all clients. */
const BODIES_BYTES_MAX = 256 * 1024 * 1024;
/** The minimum size of bodies that still count towards the memory limit after they have arrived. */
const LARGE_BYTES_MIN = 64 * 1024;

export function createBodyReceiver(bodiesBytesMax = BODIES_BYTES_MAX): BodyReceiver {
  let held = 0;
  /** The failure callbacks of incomplete bodies with their deadlines, oldest first. */
  const waiting = new Map<(error: Error) => void, number>();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [fail, deadlineMs] of waiting) {
      if (deadlineMs > nowMs) return;
      fail(
        new AppError('request.timeout', {
          detail: `The body did not arrive within ${LIMITS.bodyMsMax / 1_000} s.`,
        }),
      );
    }
  }, CLOCK_INTERVAL_MS);
  timer.unref();

  /** Rejects the bodies that have been arriving for the longest time, until the limit is met. */
  function freeCapacity(): void {
    for (const fail of waiting.keys()) {
      if (held <= bodiesBytesMax) return;
      fail(
        new AppError('limit.busy', {
          retryAfterSeconds: 2,
          detail: 'The gateway is receiving more request bodies than it can hold.',
          internal: 'bodies',
        }),
      );
    }
  }

  return {
    release(body) {
      if (body.length >= LARGE_BYTES_MIN) held -= body.length;
    },
    stop: () => clearInterval(timer),
    receive(req, tooLargeHint, done, findRejection) {
      const announced = Number(req.headers['content-length']);
      const byteChunks = createByteChunks();
      let length = 0;
      const finish = (error: Error | null, body?: Buffer): void => {
        waiting.delete(fail);
        if (error !== null || length < LARGE_BYTES_MIN) held -= length;
        req.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', fail);
        done(error, body);
      };
      const fail = (error: Error): void =>
        finish(
          error instanceof AppError
            ? error
            : new AppError('request.malformed', {
                detail: 'The body ended before it was complete.',
                internal: error.message,
              }),
        );
      const onData = (chunk: Buffer): void => {
        length += chunk.length;
        held += chunk.length;
        if (length > LIMITS.bodyBytesMax) return fail(tooLarge(tooLargeHint));
        byteChunks.add(chunk);
        if (held > bodiesBytesMax) freeCapacity();
      };
      const onEnd = (): void => finish(null, byteChunks.join());
      if (announced > LIMITS.bodyBytesMax) return done(tooLarge(tooLargeHint));
      waiting.set(fail, performance.now() + LIMITS.bodyMsMax);
      req.on('data', onData).on('end', onEnd).on('error', fail).resume();
      if (findRejection !== undefined)
        setImmediate(
          () =>
            void (
              waiting.has(fail) &&
              findRejection(req).then(
                (rejection) => void (rejection !== null && waiting.has(fail) && fail(rejection)),
              )
            ),
        );
    },
  };
}

function tooLarge(hint: string): AppError {
  return new AppError('request.body_too_large', { hint });
}

/**
 * Checks the headers of a request before its body has arrived. Returns the error for an ambiguous header or
 * for a missing or invalid key. Returns null if there is no such error.
 */
export async function rejectEarly(services: EarlyServices, req: IncomingMessage): Promise<AppError | null> {
  if (!takesKey((req.url ?? '/').split('?', 1)[0] as string)) return null;
  try {
    const fault = findHeaderFault(req);
    if (fault !== null) return fault;
    await resolveTenant(services, readCredential(req.headers, services.hashKey), {
      address: services.readAddress(req),
    });
    return null;
  } catch (error) {
    // Any other error occurs again once the complete request is served.
    return error instanceof AppError ? error : null;
  }
}
