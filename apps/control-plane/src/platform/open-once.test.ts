import { expect, it, vi } from 'vitest';
import { openOnce } from './open-once.js';

it('openOnce() opens once for all callers, and again only after a failure', async () => {
  const open = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('no such folder'))
    .mockResolvedValue('open');
  const once = openOnce(open);
  expect(await once.getOpen()).toBeNull();
  expect(await Promise.allSettled([once.get(), once.get()])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  expect(open).toHaveBeenCalledTimes(1);
  expect(await once.getOpen()).toBeNull();
  expect(await Promise.all([once.get(), once.get(), once.getOpen()])).toEqual(['open', 'open', 'open']);
  expect(open).toHaveBeenCalledTimes(2);
});
