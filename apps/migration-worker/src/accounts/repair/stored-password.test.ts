import { expect, it } from 'vitest';
import { isStoredPassword } from './stored-password.js';

it('a stored native password hash is matched with its password', () => {
  const stored = Buffer.from('*14E65567ABDB5135D0CFD9A70B3032C179A49EE7');
  expect(
    ['secret', 'other'].map((password) =>
      isStoredPassword(password, { plugin: 'mysql_native_password', stored }),
    ),
  ).toEqual([true, false]);
});

it('a stored, salted caching_sha2_password hash is matched with its password', () => {
  // The output of `openssl passwd -5 -salt abcdefghijklmnop secret`. Its salt is four bytes shorter than the
  // server's.
  const stored = Buffer.from('$A$005$abcdefghijklmnopi7zHaTeYqXlesRXJ8dXj6o.MEFQdzfIJpJpcWAtszs6');
  expect(
    ['secret', 'other'].map((password) =>
      isStoredPassword(password, { plugin: 'caching_sha2_password', stored }, 16),
    ),
  ).toEqual([true, false]);
});

it('the password of an unsupported authentication plugin is reported as unknown', () => {
  expect(isStoredPassword('secret', { plugin: 'ed25519', stored: Buffer.from('x') })).toBeNull();
});
