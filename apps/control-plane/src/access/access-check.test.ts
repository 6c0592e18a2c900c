import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { AccessCheck } from './access-check.js';
import { ANYONE_KNOWN } from './access-rule.js';
import type { CallerAuthenticator } from './authenticator.js';
import type { ReachFinder } from './reach-finder.js';

/** Checks a request on a public route that identifies its caller. The authenticator throws `error`. */
async function admit(error: unknown): Promise<unknown> {
  const req = { caller: 'unset' as unknown } as FastifyRequest;
  const check = new AccessCheck(
    { findCaller: () => Promise.reject(error) } as unknown as CallerAuthenticator,
    {} as ReachFinder,
  );
  await check.assertAdmitted(ANYONE_KNOWN, req, {} as FastifyReply);
  return req.caller;
}

describe('AccessCheck on a public route', () => {
  it.each(['auth.invalid_key', 'auth.csrf', 'request.bad_header'] as const)(
    'a request to a public route with the credential error %s is anonymous',
    async (code) => expect(await admit(new AppError(code))).toBeNull(),
  );

  it.each([
    new AppError('platform.unavailable'),
    Object.assign(new Error('no connection in time'), { code: 'PLATFORM_LATE' }),
    new TypeError('a defect'),
  ])('a request to a public route fails with an error unrelated to credentials: %s', async (error) => {
    await expect(admit(error)).rejects.toBe(error);
  });
});
