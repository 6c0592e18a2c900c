import { describe, expect, it } from 'vitest';
import { findHeaderFault } from './find-header-fault.js';

const codeOf = (httpVersion: string, rawHeaders: readonly string[]): string | null =>
  findHeaderFault({ httpVersion, rawHeaders })?.code ?? null;

describe('findHeaderFault', () => {
  it.each([
    ['1.1', ['Accept', '*/*', 'Host', 'a'], null],
    ['1.1', ['host', 'a', 'HOST', 'a'], 'request.malformed'],
    ['1.0', ['host', 'a', 'Host', 'b'], 'request.malformed'],
    ['1.1', ['Accept', 'host'], 'request.malformed'],
    ['1.0', ['Accept', 'host'], null],
    ['1.1', ['Host', ''], null],
  ])('findHeaderFault checks HTTP/%s with the Host headers %j: %s', (httpVersion, rawHeaders, code) => {
    expect(codeOf(httpVersion, rawHeaders)).toBe(code);
  });

  it.each([
    'Authorization',
    'X-API-Key',
    'X-Gibson-API-Key',
    'Idempotency-Key',
    'Content-Type',
    'Content-Encoding',
    'X-CSRF-Token',
    'Origin',
  ])('a repeated header %s is rejected in any letter case, and the error names it', (name) => {
    const fault = findHeaderFault({
      httpVersion: '1.1',
      rawHeaders: ['Host', 'a', name, 'x', 'Accept', '*/*', name.toUpperCase(), 'x'],
    });
    expect([fault?.code, fault?.hint]).toEqual(['request.bad_header', `Send ${name} once.`]);
  });

  it('headers that contain lists may span several lines', () => {
    const lists = ['If-Match', 'If-None-Match', 'Accept', 'Prefer', 'Cookie', 'X-Forwarded-For'];
    expect(codeOf('1.1', ['Host', 'a', ...lists.flatMap((name) => [name, '"1"', name, '"2"'])])).toBeNull();
  });

  it.each([
    ['Authorization', 'Bearer a, Bearer b', true],
    ['authorization', 'bearer a,b', true],
    ['Authorization', 'Basic YTpi, Bearer b', true],
    ['Authorization', 'Digest username="Bearer", realm="x"', false],
    ['Authorization', 'Bearer a', false],
    ['X-API-Key', 'a,b', true],
    ['Idempotency-Key', 'a,b', false],
  ])(
    'findHeaderFault detects two credentials that are joined in one header: %s: %s',
    (name, value, isJoined) => {
      expect(codeOf('1.1', ['Host', 'a', name, value])).toBe(isJoined ? 'request.bad_header' : null);
    },
  );
});
