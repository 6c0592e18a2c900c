import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { AppError } from '@rowhouse/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../limits/limits.js';
import { createBodyReceiver, type BodyReceiver } from './receive-body.js';

describe('request bodies', () => {
  let receiver: BodyReceiver;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    receiver = createBodyReceiver();
  });

  afterEach(() => {
    receiver.stop();
    vi.useRealTimers();
  });

  function receive(length?: number): { readonly body: PassThrough; readonly done: Promise<Buffer | string> } {
    const body = Object.assign(new PassThrough(), {
      headers: length === undefined ? {} : { 'content-length': String(length) },
    });
    const done = new Promise<Buffer | string>((resolve) => {
      receiver.receive(body as unknown as IncomingMessage, 'Send less.', (error, bytes) =>
        resolve(error instanceof AppError ? error.code : (bytes ?? 'nothing')),
      );
    });
    return { body, done };
  }

  it('a request body is passed on as soon as its last byte has arrived', async () => {
    const { body, done } = receive();
    body.write('one ');
    body.end('two');
    expect(String(await done)).toBe('one two');
    const empty = receive();
    empty.body.end();
    expect(await empty.done).toHaveLength(0);
  });

  it('a request body beyond the size limit is rejected, with or without a Content-Length', async () => {
    expect(await receive(LIMITS.bodyBytesMax + 1).done).toBe('request.body_too_large');
    const large = receive();
    large.body.write(Buffer.alloc(LIMITS.bodyBytesMax));
    large.body.write('x');
    expect(await large.done).toBe('request.body_too_large');
    const cut = receive();
    cut.body.write('half');
    cut.body.destroy(new Error('aborted'));
    expect(await cut.done).toBe('request.malformed');
  });

  it('the slowest request body is rejected when all bodies together exceed their limit', async () => {
    receiver.stop();
    receiver = createBodyReceiver(1_000_000);
    const slow = receive();
    slow.body.write(Buffer.alloc(400_000));
    const large = receive();
    large.body.end(Buffer.alloc(500_000));
    const worked = await large.done;
    expect(worked).toHaveLength(500_000);
    const third = receive();
    third.body.end(Buffer.alloc(300_000));
    expect(await third.done).toHaveLength(300_000);
    expect(await slow.done).toBe('limit.busy');
    const fourth = receive();
    fourth.body.end(Buffer.alloc(300_000));
    expect(await fourth.done).toBe('limit.busy');
    receiver.release(worked as Buffer);
    const fifth = receive();
    fifth.body.end(Buffer.alloc(300_000));
    expect(await fifth.done).toHaveLength(300_000);
    // Small bodies that have arrived completely do not count towards the memory limit.
    for (let iteration = 0; iteration < 40; iteration += 1) {
      const small = receive();
      small.body.end(Buffer.alloc(20_000));
      expect(await small.done).toHaveLength(20_000);
    }
  });

  it('a request body that does not arrive in time is rejected', async () => {
    const first = receive();
    const slow = receive();
    await vi.advanceTimersByTimeAsync(30_000);
    const late = receive();
    first.body.end('done');
    await vi.advanceTimersByTimeAsync(31_000);
    expect(String(await first.done)).toBe('done');
    expect(await slow.done).toBe('request.timeout');
    late.body.end('in time');
    expect(String(await late.done)).toBe('in time');
  });
});
