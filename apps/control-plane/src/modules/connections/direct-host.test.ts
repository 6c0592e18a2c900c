import { createServerRequest } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import { toDirectHost } from './format-connection-string.js';

describe('toDirectHost', () => {
  it('each database has its own host if the server is configured that way', () => {
    expect(toDirectHost('{database}.db.example.org', 'pabc1')).toBe('pabc1.db.example.org');
    expect(toDirectHost('db.example.org', 'pabc1')).toBe('db.example.org');
  });
  it('an unknown placeholder in the direct host setting is rejected', () => {
    const account = { user: 'u', password: 'p' };
    const parse = (publicHost: string): boolean =>
      createServerRequest.safeParse({
        name: 's',
        host: 'h',
        port: 1,
        public_host: publicHost,
        provisioner: account,
        observer: account,
      }).success;
    expect([
      parse('{database}.db.example.org'),
      parse('db.example.org'),
      parse('{project}.example.org'),
      parse('{database.example.org'),
    ]).toEqual([true, true, false, false]);
  });
});
