import { describe, expect, it } from 'vitest';
import { formatConnectionString } from './format-connection-string.js';

describe('formatConnectionString', () => {
  const parts = {
    user: 'u',
    password: 'p',
    host: '127.0.0.1',
    port: 3306,
    database: 'd',
    tls: false,
    ca: null,
  };
  it('formatConnectionString returns a URL that clients can parse', () => {
    expect(formatConnectionString(parts)).toBe('mysql://u:p@127.0.0.1:3306/d');
    expect(formatConnectionString({ ...parts, tls: true, host: '::1' })).toBe(
      'mysql://u:p@[::1]:3306/d?ssl-mode=VERIFY_IDENTITY',
    );
    expect(formatConnectionString({ ...parts, tls: true, ca: 'PEM' })).toBe(
      'mysql://u:p@127.0.0.1:3306/d?ssl-mode=VERIFY_CA&ssl-ca=rowhouse-ca.pem',
    );
  });
  it('formatConnectionString escapes special characters of URLs', () => {
    expect(new URL(formatConnectionString({ ...parts, password: 'a/b@c:d' })).host).toBe('127.0.0.1:3306');
  });
});
