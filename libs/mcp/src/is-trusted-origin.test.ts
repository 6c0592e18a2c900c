import { expect, it } from 'vitest';
import { isTrustedOrigin } from './is-trusted-origin.js';

const LOCAL = 'http://127.0.0.1:4100';
const PUBLIC = 'https://api.example.org';

it.each([
  [LOCAL, 'localhost:4100', undefined, true],
  [LOCAL, '[::1]:4100', 'http://localhost:4100', true],
  [LOCAL, '127.0.0.1', 'http://127.0.0.1:5173', true],
  [LOCAL, 'evil.example.com', undefined, false],
  [LOCAL, 'evil.example.com', 'http://evil.example.com', false],
  [LOCAL, '127.0.0.1:4100', 'http://evil.example.com', false],
  [LOCAL, '127.0.0.1:4100', 'null', false],
  [LOCAL, '127.0.0.1.evil.example.com', undefined, false],
  [LOCAL, '', undefined, false],
  [PUBLIC, 'gateway.internal:8080', undefined, true],
  [PUBLIC, 'api.example.org', 'https://api.example.org', true],
  [PUBLIC, 'api.example.org', 'https://api.example.org.evil.example.com', false],
  [PUBLIC, 'api.example.org', 'http://localhost:6274', true],
])(
  'isTrustedOrigin with public host %s, Host %s and Origin %s returns %s',
  (own, host, origin, isTrusted) => {
    expect(isTrustedOrigin({ host, origin }, own)).toBe(isTrusted);
  },
);

it('isTrustedOrigin accepts console pages at any address of the server', () => {
  const CONSOLE = 'https://console.example.net';
  const trusts = (origin: string, own: string): boolean =>
    isTrustedOrigin({ host: new URL(own).host, origin }, own, CONSOLE);
  expect([
    trusts(CONSOLE, PUBLIC),
    trusts(CONSOLE, LOCAL),
    trusts('https://api.example.org', PUBLIC),
  ]).toEqual([true, true, true]);
  expect([
    trusts('https://example.net', PUBLIC),
    trusts('https://console.example.net.evil.example.com', PUBLIC),
  ]).toEqual([false, false]);
});
