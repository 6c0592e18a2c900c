import { describe, expect, it } from 'vitest';
import { changePasswordRequest, resetPasswordRequest, signupRequest } from './control-api/requests.js';
import { findPasswordFault } from './password-rule.js';

describe('the password rule', () => {
  it.each([
    'correct horse',
    'a password to keep',
    'pass-5f3a9c0d11',
    'ÄÖÜäöüßé',
    'tr0ub4dor',
    'xxx never said',
  ])('findPasswordFault accepts %j', (password) => {
    expect(findPasswordFault(password, 'ann@example.test')).toBeNull();
  });

  it.each([
    ['', 'at least 8'],
    ['seven77', 'at least 8'],
    ['😀😀😀😀', 'at least 8'],
    ['x'.repeat(201), 'at most 200'],
    ['password', 'too common'],
    ['Password1', 'too common'],
    ['PASSWORD2026!', 'too common'],
    ['12345678', 'too common'],
    ['87654321', 'too common'],
    ['abcdefgh', 'too common'],
    ['aaaaaaaa', 'too common'],
    ['12341234', 'too common'],
    ['Qwertyuiop', 'too common'],
    ['Ann@Example.test', 'email'],
    ['ann.of.example', 'email'],
  ])('findPasswordFault rejects %j', (password, why) => {
    expect(
      findPasswordFault(
        password,
        password.startsWith('ann.') ? 'ann.of.example@example.test' : 'ann@example.test',
      ),
    ).toContain(why);
  });

  it('every request that sets a password rejects a weak one', () => {
    const faultsOf = (result: {
      error?: { issues: readonly { path: PropertyKey[]; message: string }[] };
    }): string[] => (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`);
    expect(faultsOf(signupRequest.safeParse({ email: 'ann@example.test', password: 'password1' }))).toEqual([
      expect.stringMatching(/^password .*too common/),
    ]);
    expect(
      faultsOf(signupRequest.safeParse({ email: 'ann.of.example@example.test', password: 'ann.of.example' })),
    ).toEqual(['password must not be the email address']);
    expect(
      faultsOf(changePasswordRequest.safeParse({ current_password: 'x', new_password: '12345678' })),
    ).toEqual([expect.stringMatching(/^new_password /)]);
    expect(faultsOf(resetPasswordRequest.safeParse({ token: 't', password: 'short' }))).toEqual([
      'password must have at least 8 characters',
    ]);
    expect(
      signupRequest.safeParse({ email: 'ann@example.test', password: 'a password to keep' }).success,
    ).toBe(true);
  });
});
