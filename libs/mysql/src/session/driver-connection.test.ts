import { expect, it } from 'vitest';
import { toTlsOptions } from './driver-connection.js';

it('a connection with a configured certificate authority accepts its certificates for any host', () => {
  expect(toTlsOptions('PEM')).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', ca: 'PEM' });
});

it('a connection without a configured certificate authority verifies the host name', () => {
  expect(toTlsOptions()).toEqual({ rejectUnauthorized: true, minVersion: 'TLSv1.2', verifyIdentity: true });
});
