import { expect, it } from 'vitest';
import { createLoginWindows } from './login-windows.js';

const tick = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('concurrent logins share one unlock of the account, and the last one locks it again', async () => {
  const done: string[] = [];
  const windows = createLoginWindows(() => undefined);
  const account = {
    unlock: async (): Promise<void> => void (await tick(), done.push('unlock')),
    lock: async (): Promise<void> => void (await tick(), await tick(), done.push('lock')),
  };
  await Promise.all(
    ['a', 'b'].map((name) =>
      windows.use('account', account, async () => void (await tick(), done.push(name))),
    ),
  );
  await windows.use('account', account, async () => void done.push('c'));
  await windows.close();
  expect(done).toEqual(['unlock', 'a', 'b', 'lock', 'unlock', 'c', 'lock']);
});

it('an account is locked after a failed login', async () => {
  const failed: string[] = [];
  const windows = createLoginWindows((key) => failed.push(key));
  const account = { unlock: () => Promise.resolve(), lock: () => Promise.reject(new Error('away')) };
  await expect(windows.use('account', account, () => Promise.reject(new Error('refused')))).rejects.toThrow(
    'refused',
  );
  await windows.close();
  expect(failed).toEqual(['account']);
  expect(
    await windows.use('account', { ...account, lock: () => Promise.resolve() }, () => Promise.resolve(1)),
  ).toBe(1);
});
