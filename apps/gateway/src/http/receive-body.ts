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
   * Calls back once, with the bytes or with an error. The errors are 400 (cut short), 408 (too late), 413,
   * and 503 when all bodies together take too much memory. If the body did not arrive with the head,
   * `rejectEarly` is called, and its error ends the wait.
   */
  receive(
    req: IncomingMessage,
    tooLargeHint: string,
    done: (error: Error | null, body?: Buffer) => void,
    refuseEarly?: RefuseEarly,
  ): void;
  /** Stops counting a large body, after the call that used it has ended. */
  release(body: Buffer): void;
  stop(): void;
}

/** Returns an error if the request can be rejected before its body has arrived, or null. */
export type RefuseEarly = (req: IncomingMessage) => Promise<AppError | null>;

const CLOCK_INTERVAL_MS = 1_000;
/**
 * The limit for all bodies being received or processed, from any client. No key is checked before its body
 * has arrived.
 */
const BODIES_BYTES_MAX = 256 * 1024 * 1024;
/**
 * Smaller bodies are not counted after they have arrived, because the rest of a request takes as much memory.
 */
const LARGE_BYTES_MIN = 64 * 1024;

export function createBodyReceiver(bodiesBytesMax = BODIES_BYTES_MAX): BodyReceiver {
  let held = 0;
  /** The receiving bodies in the order of their deadlines. */
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

  /**
   * Rejects the bodies that have been arriving for the longest time. Bodies sent at a normal pace have
   * arrived long before.
   */
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
    receive(req, tooLargeHint, done, refuseEarly) {
      const announced = Number(req.headers['content-length']);
      const byteChunks = createByteChunks();
      let length = 0;
      const settle = (error: Error | null, body?: Buffer): void => {
        waiting.delete(fail);
        if (error !== null || length < LARGE_BYTES_MIN) held -= length;
        req.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', fail);
        done(error, body);
      };
      const fail = (error: Error): void =>
        settle(
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
      const onEnd = (): void => settle(null, byteChunks.join());
      if (announced > LIMITS.bodyBytesMax) return done(tooLarge(tooLargeHint));
      waiting.set(fail, performance.now() + LIMITS.bodyMsMax);
      req.on('data', onData).on('end', onEnd).on('error', fail).resume();
      if (refuseEarly !== undefined)
        setImmediate(
          () =>
            void (
              waiting.has(fail) &&
              refuseEarly(req).then(
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
 * Returns the error with which a request can be rejected from its headers alone, before its body is read. The
 * causes are an ambiguous header, and a missing or invalid key. Returns null otherwise.
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
    // Any other error occurs again after the body has arrived.
    return error instanceof AppError ? error : null;
  }
}
