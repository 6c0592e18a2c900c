import { expect, it } from 'vitest';
import { toTlsOptions } from './to-tls-options.js';

it('believes one authority and no other, whatever name it was given for', () => {
  expect(toTlsOptions('PEM')).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', ca: 'PEM' });
});

it('checks the name where anybody may have a certificate', () => {
  expect(toTlsOptions()).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', verifyIdentity: true });
});
