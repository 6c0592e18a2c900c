import { expect, it } from 'vitest';
import { toTlsOptions } from './driver-connection.js';

it('toTlsOptions with an authority accepts only its certificates, for any host name', () => {
  expect(toTlsOptions('PEM')).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', ca: 'PEM' });
});

it('toTlsOptions without an authority verifies the host name', () => {
  expect(toTlsOptions()).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', verifyIdentity: true });
});
