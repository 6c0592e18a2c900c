import type { AdminConnection, AdminTarget } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import { createAdminPorts } from './admin-port.js';

const NODE = { host: 'h', port: 3306, adminPort: 3307, tls: 'off' as const };
const LOGIN = { user: 'u', password: 'p' };

/** Simulates servers whose ports fail with these errors. Other ports accept every login. */
function makePorts(errors: Record<number, { code: string; errno?: number }>): {
  tried: number[];
  open: (node?: typeof NODE | { adminPort: null }) => Promise<unknown>;
  pass: (ms: number) => void;
} {
  const tried: number[] = [];
  let nowMs = 0;
  const ports = createAdminPorts(
    ({ port }: AdminTarget) => {
      tried.push(port);
      const error = errors[port];
      return error === undefined
        ? Promise.resolve({} as AdminConnection)
        : Promise.reject(Object.assign(new Error(error.code), error, { sqlState: 'HY000', fatal: true }));
    },
    () => nowMs,
  );
  return {
    tried,
    open: (node = NODE) => ports.open({ ...NODE, ...node }, LOGIN),
    pass: (ms) => void (nowMs += ms),
  };
}

it('a session opens on the admin port, or on the normal port if the server has none', async () => {
  const { tried, open } = makePorts({});
  await open();
  await open({ adminPort: null });
  expect(tried).toEqual([3307, 3306]);
});

it('an admin port that does not respond is tried again after a while', async () => {
  const { tried, open, pass } = makePorts({ 3307: { code: 'ECONNREFUSED' } });
  await open();
  await open();
  pass(31_000);
  await open();
  expect(tried).toEqual([3307, 3306, 3306, 3307, 3306]);
});

it('a session uses the normal port if the admin port is full or not permitted', async () => {
  for (const error of [
    { code: 'ER_SPECIFIC_ACCESS_DENIED_ERROR', errno: 1227 },
    { code: 'ER_CON_COUNT_ERROR', errno: 1040 },
  ]) {
    const { tried, open } = makePorts({ 3307: error });
    await open();
    await open();
    expect(tried).toEqual([3307, 3306, 3307, 3306]);
  }
});

it('a password that the admin port rejects is not tried on the other port', async () => {
  const { tried, open } = makePorts({ 3307: { code: 'ER_ACCESS_DENIED_ERROR', errno: 1045 } });
  await expect(open()).rejects.toThrow('ER_ACCESS_DENIED_ERROR');
  expect(tried).toEqual([3307]);
});
