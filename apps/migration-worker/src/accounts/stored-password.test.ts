import { expect, it } from 'vitest';
import { isStoredPassword } from './stored-password.js';

it('recognizes the password behind a native hash', () => {
  const stored = Buffer.from('*14E65567ABDB5135D0CFD9A70B3032C179A49EE7');
  expect(['secret', 'other'].map((password) => isStoredPassword(password, { plugin: 'mysql_native_password', stored }))).toEqual([true, false]);
});

it('recognizes the password behind a salted hash of caching_sha2_password', () => {
  // The text of `openssl passwd -5 -salt abcdefghijklmnop secret`, whose salt is four bytes shorter than the server's.
  const stored = Buffer.from('$A$005$abcdefghijklmnopi7zHaTeYqXlesRXJ8dXj6o.MEFQdzfIJpJpcWAtszs6');
  expect(['secret', 'other'].map((password) => isStoredPassword(password, { plugin: 'caching_sha2_password', stored }, 16))).toEqual([true, false]);
});

it('says nothing about plugins that it does not know', () => {
  expect(isStoredPassword('secret', { plugin: 'ed25519', stored: Buffer.from('x') })).toBeNull();
});
