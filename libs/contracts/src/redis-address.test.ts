import { describe, expect, it } from 'vitest';
import { isRedisAddress, parseRedisAddress } from './redis-address.js';

describe('parseRedisAddress', () => {
  it('parseRedisAddress returns the URL of one server unchanged', () => {
    for (const url of ['redis://localhost', 'rediss://u:p@h:6380/2', 'redis://:p@127.0.0.1:6379'])
      expect(parseRedisAddress(url)).toEqual({ kind: 'single', url });
  });
  it('parseRedisAddress returns Sentinels with the name of their primary', () => {
    expect(
      parseRedisAddress(
        'redis+sentinel://app:p%40ss%3A@s1:26001,s2,[::1]:26003/mymaster?db=3&sentinel_user=w&sentinel_password=se%2Fcret',
      ),
    ).toEqual({
      kind: 'sentinel',
      primary: 'mymaster',
      db: 3,
      sentinelUser: 'w',
      sentinelPassword: 'se/cret',
      user: 'app',
      password: 'p@ss:',
      isTls: false,
      nodes: [
        { host: 's1', port: 26_001 },
        { host: 's2', port: 26_379 },
        { host: '::1', port: 26_003 },
      ],
    });
  });
  it('parseRedisAddress returns the nodes of a cluster', () => {
    expect(parseRedisAddress('rediss+cluster://:p@a:7001,b:7002')).toEqual({
      kind: 'cluster',
      user: null,
      password: 'p',
      isTls: true,
      nodes: [
        { host: 'a', port: 7_001 },
        { host: 'b', port: 7_002 },
      ],
    });
    expect(parseRedisAddress('redis+cluster://a/')).toMatchObject({
      kind: 'cluster',
      nodes: [{ host: 'a', port: 6_379 }],
      password: null,
    });
  });
  it('parseRedisAddress returns null for malformed addresses', () => {
    const texts = [
      'http://h',
      'redis://',
      'redis+sentinel://h:1',
      'redis+sentinel://h:1/',
      'redis+sentinel://h:99999/m',
      'redis+sentinel://h:1,/m',
      'redis+sentinel://h:1/m?sentinel_pasword=x',
      'redis+sentinel://h:1/m?db=x',
      'redis+cluster://h:1/2',
      'redis+cluster://h:1?db=0',
      'redis+cluster://',
      'redis+cluster://a b:1',
      'redis+sentinel://u:%zz@h:1/m',
      'redis+other://h:1',
      'sentinel://h:1/m',
    ];
    for (const text of texts) expect([text, isRedisAddress(text)]).toEqual([text, false]);
  });
});
