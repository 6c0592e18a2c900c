import type { IncomingMessage } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { LIMITS } from '../limits.js';

/** Reads the bodies of requests whole. One clock serves them all, since nearly every body is there at once. */
export interface BodyReceiver {
  /** Calls back once: with the bytes, or with 400 (cut short), 408 (not there in time), 413. */
  receive(req: IncomingMessage, tooLargeHint: string, done: (error: Error | null, body?: Buffer) => void): void;
  stop(): void;
}

const CLOCK_INTERVAL_MS = 1_000;

export function createBodyReceiver(): BodyReceiver {
  /** In the order of their deadlines. */
  const waiting = new Map<(error: Error) => void, number>();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [fail, deadlineMs] of waiting) {
      if (deadlineMs > nowMs) return;
      fail(new AppError('request.timeout', { detail: `The body did not arrive within ${LIMITS.bodyMsMax / 1_000} s.` }));
    }
  }, CLOCK_INTERVAL_MS);
  timer.unref();

  return {
    stop: () => clearInterval(timer),
    receive(req, tooLargeHint, done) {
      const announced = Number(req.headers['content-length']);
      const chunks: Buffer[] = [];
      let length = 0;
      const settle = (error: Error | null, body?: Buffer): void => {
        waiting.delete(fail);
        req.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', fail);
        done(error, body);
      };
      const fail = (error: Error): void => settle(error instanceof AppError ? error : new AppError('request.malformed', { detail: 'The body was cut short.', internal: error.message }));
      const onData = (chunk: Buffer): void => {
        length += chunk.length;
        if (length > LIMITS.bodyBytesMax) fail(tooLarge(tooLargeHint));
        else chunks.push(chunk);
      };
      const onEnd = (): void => settle(null, chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length));
      if (announced > LIMITS.bodyBytesMax) return done(tooLarge(tooLargeHint));
      waiting.set(fail, performance.now() + LIMITS.bodyMsMax);
      req.on('data', onData).on('end', onEnd).on('error', fail).resume();
    },
  };
}

function tooLarge(hint: string): AppError {
  return new AppError('request.body_too_large', { hint });
}
