import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { firstValueFrom, from } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccessCheck } from '../access/access-check.js';
import { RequestConcurrency } from './request-concurrency.js';
import type { CostClass } from './route-spec.js';

let costClass: CostClass | null | undefined;
/** Makes the repeated access check reject the request. */
let assertAdmitted: () => Promise<void>;
const makeCalls = (): RequestConcurrency => {
  assertAdmitted = () => Promise.resolve();
  return new RequestConcurrency(
    { get: () => ({ costClass }) } as unknown as Reflector,
    { assertAdmitted: () => assertAdmitted() } as unknown as AccessCheck,
  );
};
let calls: RequestConcurrency;
afterEach(() => calls.onModuleDestroy());

class HttpResponse extends EventEmitter {
  destroyed = false;
  closed = false;
  readonly socket = null;
  /** Simulates that the client received the response or disconnected. */
  close(): void {
    this.closed = true;
    this.destroyed = true;
    this.emit('close');
  }
}

interface Sent {
  readonly raw: HttpResponse;
  readonly done: Promise<unknown>;
  /** Returns whether the request's handler has started. */
  readonly hasStarted: () => boolean;
  /** Ends the request's handler. */
  readonly finish: () => void;
}

function send(accountId: string | null): Sent {
  const raw = new HttpResponse();
  let [started, finish] = [false, (): void => undefined];
  const work = new Promise<string>((resolve) => (finish = () => resolve('made')));
  const context = {
    getHandler: () => send,
    switchToHttp: () => ({
      getRequest: () => ({ caller: accountId === null ? null : { account: { id: accountId } } }),
      getResponse: () => ({ raw }),
    }),
  } as unknown as ExecutionContext;
  const handle = (): ReturnType<typeof from<Promise<string>>> => {
    started = true;
    return from(work);
  };
  const done = calls.intercept(context, { handle }).then((answer) => firstValueFrom(answer));
  done.catch(() => undefined);
  return { raw, done, hasStarted: () => started, finish: () => finish() };
}

const nextSlice = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function sendMany(accountId: string, count: number): Promise<Sent[]> {
  const sent = Array.from({ length: count }, () => send(accountId));
  await nextSlice();
  return sent;
}

const countStarted = (sent: readonly Sent[]): number => sent.filter((item) => item.hasStarted()).length;

describe('the concurrency of requests', () => {
  it('requests of an account beyond the running and waiting limits are rejected', async () => {
    [costClass, calls] = ['read', makeCalls()];
    const sent = await sendMany('acc_a', 4 + 32 + 1);
    expect(countStarted(sent)).toBe(4);
    await expect(sent.at(-1)?.done).rejects.toMatchObject({
      code: 'limit.concurrency',
      status: 429,
      retryAfterSeconds: 2,
    });
    expect(countStarted(await sendMany('acc_b', 3))).toBe(3);
  });

  it('a request keeps its slot until its response was received', async () => {
    [costClass, calls] = ['read', makeCalls()];
    const sent = await sendMany('acc_a', 6);
    sent[0]?.finish();
    expect(await sent[0]?.done).toBe('made');
    await nextSlice();
    expect(countStarted(sent)).toBe(4);
    sent[0]?.raw.close();
    await nextSlice();
    expect(countStarted(sent)).toBe(5);
    // If a client disconnects, the server still completes the work that it has started.
    sent[1]?.raw.close();
    await nextSlice();
    expect(countStarted(sent)).toBe(5);
    sent[1]?.finish();
    await nextSlice();
    expect(countStarted(sent)).toBe(6);
  });

  it('requests of all accounts share one limit, and unread responses do not count', async () => {
    [costClass, calls] = ['read', makeCalls()];
    const sent = (await Promise.all(['a', 'b', 'c', 'd'].map((account) => sendMany(account, 4)))).flat();
    const next = await sendMany('e', 1);
    expect([countStarted(sent), countStarted(next)]).toEqual([16, 0]);
    sent[0]?.finish();
    await nextSlice();
    expect(countStarted(next)).toBe(1);
  });

  it('a waiting request whose client disconnected is not started', async () => {
    [costClass, calls] = ['plan', makeCalls()];
    const sent = await sendMany('acc_a', 9);
    sent[8]?.raw.close();
    sent[0]?.finish();
    sent[0]?.raw.close();
    await expect(sent[8]?.done).rejects.toMatchObject({ code: 'request.timeout' });
    expect(countStarted(sent)).toBe(8);
    expect(countStarted(await sendMany('acc_a', 1))).toBe(1);
  });

  it('a waiting request whose access has ended is rejected and frees its slot', async () => {
    [costClass, calls] = ['plan', makeCalls()];
    const sent = await sendMany('acc_a', 9);
    assertAdmitted = () => Promise.reject(new Error('removed'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    sent[0]?.finish();
    sent[0]?.raw.close();
    await expect(sent[8]?.done).rejects.toThrow('removed');
    sent[8]?.raw.close();
    expect(countStarted(sent)).toBe(8);
    expect(countStarted(await sendMany('acc_a', 1))).toBe(1);
  });

  it('an account runs six cheap requests at once and queues 256', async () => {
    [costClass, calls] = [undefined, makeCalls()];
    const sent = await sendMany('acc_a', 6 + 256 + 1);
    expect(countStarted(sent)).toBe(6);
    await expect(sent.at(-1)?.done).rejects.toMatchObject({ code: 'limit.concurrency', status: 429 });
    expect(countStarted(await sendMany('acc_b', 6))).toBe(6);
    // Requests that wait for a plan from the worker have their own limits for an account.
    costClass = 'plan';
    expect(countStarted(await sendMany('acc_a', 8))).toBe(8);
  });

  it('anonymous requests and those without a cost class are not limited', async () => {
    [costClass, calls] = [null, makeCalls()];
    expect(countStarted(await sendMany('acc_a', 50))).toBe(50);
    costClass = 'light';
    expect(countStarted(Array.from({ length: 50 }, () => send(null)))).toBe(50);
  });
});
