import { expect, it } from 'vitest';
import { toTlsOptions } from './driver-connection.js';

it('a private authority is trusted exclusively, for any host name', () => {
  expect(toTlsOptions('PEM')).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', ca: 'PEM' });
});

it('the host name is verified where anyone can obtain a certificate', () => {
  expect(toTlsOptions()).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', verifyIdentity: true });
});
