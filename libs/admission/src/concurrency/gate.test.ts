import { AppError } from '@rowhouse/errors';
import { expect, it } from 'vitest';
import { createGate, createGateMap } from './gate.js';

const makeGate = () =>
  createGate({ runningMax: 1, waitingMax: 1, waitMs: 20, toError: () => new AppError('limit.concurrency') });

it('a gate lets a waiting caller in when a slot is freed, or rejects it after waitMs', async () => {
  const gate = makeGate();
  let end: () => void = () => undefined;
  const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)));
  await expect(gate.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'limit.concurrency' });
  const waiting = gate.run(() => Promise.resolve('in'));
  end();
  expect(await waiting).toBe('in');
  await first;
});

it('holdUntil keeps the slot of a gate until the promise settles, even by a rejection', async () => {
  const gate = makeGate();
  const ends: (() => void)[] = [];
  await expect(
    gate.run((holdUntil) => {
      holdUntil(new Promise<void>((resolve) => ends.push(resolve)));
      holdUntil(new Promise((_, reject) => ends.push(() => reject(new Error('lost')))));
      return Promise.reject(new Error('too late'));
    }),
  ).rejects.toThrow('too late');
  await expect(gate.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'limit.concurrency' });
  ends.forEach((end) => end());
  expect(await gate.run(() => Promise.resolve('in'))).toBe('in');
});

it('a gate map returns the same gate for an id while the gate is in use, even after a sweep', async () => {
  const gates = createGateMap({
    runningMax: 1,
    waitingMax: 0,
    waitMs: 20,
    toError: () => new AppError('limit.concurrency'),
  });
  const leave = await gates.of('slow').enter();
  for (let sweeps = 0; sweeps < 3; sweeps += 1) gates.sweep();
  await expect(gates.of('slow').enter()).rejects.toMatchObject({ code: 'limit.concurrency' });
  leave();
  const gate = gates.of('slow');
  for (let sweeps = 0; sweeps < 3; sweeps += 1) gates.sweep();
  expect(gates.of('slow')).not.toBe(gate);
});
