import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { sessionKeys } from '../session/queries.js';
import { accountKeys } from './queries.js';
import {
  useForgotPassword,
  useResetPassword,
  useSendVerification,
  useUpdateAccount,
  useVerifyEmail,
} from './mutations.js';
import {
  twoFactorQuery,
  useChangePassword,
  useCreateToken,
  useRevokeOtherSessions,
  useRevokeSession,
  useRevokeToken,
} from './security.js';
import {
  useBeginTwoFactor,
  useConfirmTwoFactor,
  useRenewRecoveryCodes,
  useTurnOffTwoFactor,
} from './two-factor.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));
beforeEach(() => {
  send.mockReset().mockResolvedValue({ ok: true });
});

const READ = { me: sessionKeys.me, ...accountKeys, twoFactor: twoFactorQuery.queryKey };
const PASSWORDS = { current_password: 'one', new_password: 'two', keep_tokens: true };
const PROOF = { password: 'one', code: '123456' };
const RESET = { token: 'rhm_1', new_password: 'two' };

/** Calls the mutation of a hook and returns the queries that it invalidates. */
async function make<ClaimInput>(
  callback: () => { mutateAsync: (input: ClaimInput) => Promise<unknown> },
  values: ClaimInput,
): Promise<string[]> {
  const queryClient = new QueryClient();
  for (const key of Object.values(READ)) queryClient.setQueryData(key, 'read');
  await callHook(callback, queryClient).mutateAsync(values);
  return Object.entries(READ)
    .filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated)
    .map(([name]) => name);
}

it.each([
  [
    'a name',
    () => make(useUpdateAccount, { name: 'Ada' }),
    ['PATCH', '/api/me', { name: 'Ada' }],
    ['me', 'twoFactor'],
  ],
  [
    'a password',
    () => make(useChangePassword, PASSWORDS),
    ['POST', '/api/me/password', PASSWORDS],
    ['me', 'sessions', 'tokens', 'twoFactor'],
  ],
  ['a mail to confirm', () => make(useSendVerification, undefined), ['POST', '/api/me/verification', {}], []],
  [
    'a confirmed address',
    () => make(useVerifyEmail, 'rhm_1'),
    ['POST', '/api/auth/verify', { token: 'rhm_1' }],
    ['me', 'twoFactor'],
  ],
  [
    'a forgotten password',
    () => make(useForgotPassword, 'ada@example.test'),
    ['POST', '/api/auth/forgot', { email: 'ada@example.test' }],
    [],
  ],
  [
    'a new password by mail',
    () => make(useResetPassword, RESET as never),
    ['POST', '/api/auth/reset', RESET],
    [],
  ],
  [
    'an ended session',
    () => make(useRevokeSession, 'ses_1'),
    ['DELETE', '/api/sessions/ses_1'],
    ['sessions'],
  ],
  [
    'other ended sessions',
    () => make(useRevokeOtherSessions, undefined),
    ['DELETE', '/api/sessions'],
    ['sessions'],
  ],
  [
    'a secret for an app',
    () => make(useBeginTwoFactor, 'one'),
    ['POST', '/api/me/two-factor', { password: 'one' }],
    [],
  ],
  [
    'a confirmed app',
    () => make(useConfirmTwoFactor, '123456'),
    ['POST', '/api/me/two-factor/confirm', { code: '123456' }],
    ['me', 'twoFactor'],
  ],
  [
    'two-factor authentication turned off',
    () => make(useTurnOffTwoFactor, PROOF),
    ['DELETE', '/api/me/two-factor', PROOF],
    ['me', 'twoFactor'],
  ],
  [
    'new recovery codes',
    () => make(useRenewRecoveryCodes, PROOF),
    ['POST', '/api/me/two-factor/recovery-codes', PROOF],
    ['me', 'twoFactor'],
  ],
  [
    'a token',
    () => make(useCreateToken, { name: 'ci' }),
    ['POST', '/api/tokens', { name: 'ci' }],
    ['tokens'],
  ],
  ['a revoked token', () => make(useRevokeToken, 'tok_1'), ['DELETE', '/api/tokens/tok_1'], ['tokens']],
])(
  'the mutation %s sends one request and invalidates the queries that it affects',
  async (_what, change, call, stale) => {
    expect(await change()).toEqual(stale);
    expect(send.mock.calls).toEqual([call]);
  },
);

it('a failed account mutation throws and leaves cached data unchanged', async () => {
  send.mockRejectedValueOnce(new Error('refused'));
  const queryClient = new QueryClient();
  queryClient.setQueryData(READ.tokens, 'read');
  await expect(callHook(useRevokeToken, queryClient).mutateAsync('tok_1')).rejects.toThrow('refused');
  expect(queryClient.getQueryState(READ.tokens)?.isInvalidated).toBe(false);
});
