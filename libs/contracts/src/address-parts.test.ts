import { describe, expect, it } from 'vitest';
import { readLogin, readNodes, readOptions } from './address-parts.js';

describe('readLogin', () => {
  it.each([
    ['u:p', 'u', 'p'],
    ['u', 'u', null],
    [':p', null, 'p'],
    ['', null, null],
    ['u:', 'u', null],
    ['a%40b:c%3Ad', 'a@b', 'c:d'],
    ['u:a:b', 'u', 'a:b'],
  ])('readLogin splits %j into user and password', (text, user, password) => {
    expect(readLogin(text)).toEqual({ user, password });
  });

  it('readLogin throws for a percent sign without two hexadecimal digits', () => {
    expect(() => readLogin('u:100%')).toThrow(URIError);
  });
});

describe('readNodes', () => {
  it('readNodes returns the port of each host, or the default port', () => {
    expect(readNodes('a:1,b.example,[::1]:65535,[fe80::1]', 3_306)).toEqual([
      { host: 'a', port: 1 },
      { host: 'b.example', port: 3_306 },
      { host: '::1', port: 65_535 },
      { host: 'fe80::1', port: 3_306 },
    ]);
  });

  it.each(['', 'a,', ',a', 'a:0', 'a:65536', 'a:x', 'a:', 'a b', '::1', '[::1', 'a:1:2', 'a,b:99999'])(
    'readNodes returns null for %j',
    (text) => {
      expect(readNodes(text, 3_306)).toBeNull();
    },
  );
});

describe('readOptions', () => {
  it('readOptions returns decoded values, and the last value of a repeated name', () => {
    expect([...(readOptions('tls=required&x=a%20%3D', ['tls', 'x']) ?? [])]).toEqual([
      ['tls', 'required'],
      ['x', 'a ='],
    ]);
    expect([...(readOptions('tls&&x=1&x=2=3', ['tls', 'x']) ?? [])]).toEqual([
      ['tls', ''],
      ['x', '2=3'],
    ]);
    expect(readOptions('', [])).toEqual(new Map());
  });

  it('readOptions returns null for an unknown name', () => {
    expect(readOptions('tls=required&Tls=off', ['tls'])).toBeNull();
  });
});
