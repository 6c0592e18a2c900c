import { describe, expect, it } from 'vitest';
import { isPlatformAddress, parsePlatformAddress } from './platform-address.js';

describe('parsePlatformAddress', () => {
  it('parsePlatformAddress returns the parts of an address with one server', () => {
    expect(
      parsePlatformAddress('mysql://rh_control:p%40ss%3A@db.example:3307/rowhouse_cell?tls=required'),
    ).toEqual({
      nodes: [{ host: 'db.example', port: 3_307 }],
      user: 'rh_control',
      password: 'p@ss:',
      database: 'rowhouse_cell',
      tls: 'required',
    });
    expect(parsePlatformAddress('mysql://root@[::1]')).toEqual({
      nodes: [{ host: '::1', port: 3_306 }],
      user: 'root',
      password: '',
      database: '',
      tls: 'off',
    });
    // An address with a single server is parsed as in earlier versions.
    expect(parsePlatformAddress('mysql://u:a@b@h/d')).toMatchObject({
      password: 'a@b',
      nodes: [{ host: 'h' }],
    });
  });
  it('parsePlatformAddress returns several servers in order', () => {
    expect(parsePlatformAddress('mysql://u:p@a:1,b,[::1]:3/d')?.nodes).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 3_306 },
      { host: '::1', port: 3 },
    ]);
  });
  it('parsePlatformAddress returns null for malformed addresses and unknown options', () => {
    const texts = [
      '',
      'mysql://',
      'http://h/d',
      'mysql://u:p@h:99999/d',
      'mysql://u:p@a:1,/d',
      'mysql://u:p@h/d?tls=require',
      'mysql://u:p@h/d?ssl=true',
      'mysql://u:%zz@h/d',
      'mysql://u:p@h/d/e',
      'mysql://u:p@h/d#x',
    ];
    for (const text of texts) expect([text, isPlatformAddress(text)]).toEqual([text, false]);
  });
});
