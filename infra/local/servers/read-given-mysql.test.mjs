import { describe, expect, it } from 'vitest';
import { parsePlatformAddress } from '../../../libs/contracts/dist/platform-address.js';
import { toTlsOptions } from '../../../libs/mysql/dist/index.js';
import { formatMysqlUrl, TLS_OPTIONS } from './mysql-admin.mjs';
import { hintAtTls, readGivenMysql } from './read-given-mysql.mjs';

const at = (/** @type {string} */ host, /** @type {string} */ options = '') =>
  `mysql://u:p%40s@${host}${options}`;

describe('readGivenMysql', () => {
  it.each([
    ['db.example:3307', '', {}, 'required'],
    ['127.0.0.1', '', {}, 'off'],
    ['[::1]:3306', '', {}, 'off'],
    ['localhost', '', {}, 'off'],
    ['db.example', '?tls=off', {}, 'off'],
    ['localhost', '?tls=required', {}, 'required'],
    ['db.example', '', { MYSQL_TLS: 'off' }, 'off'],
    ['localhost', '', { MYSQL_TLS: 'required' }, 'required'],
    ['db.example', '?tls=required', { MYSQL_TLS: 'off' }, 'required'],
  ])('readGivenMysql reads for the address %s%s with %j the TLS mode %s', (host, options, env, tls) => {
    expect(readGivenMysql(at(host, options), env)).toMatchObject({ user: 'u', password: 'p@s', tls });
  });

  it.each([
    [at('db.example', '?ssl=true'), {}, /has the unknown option ssl/],
    [at('db.example', '?tls=yes'), {}, /tls in it must be required or off, not "yes"/],
    [at('db.example'), { MYSQL_TLS: 'on' }, /MYSQL_TLS must be required or off, not "on"/],
    ['db.example:3306', {}, /mysql:\/\/user:password@host/],
    ['postgres://u:secret@h', {}, /mysql:\/\/user/],
  ])('readGivenMysql rejects %s with %j without repeating the password', (url, env, message) => {
    expect(() => readGivenMysql(url, env)).toThrow(message);
    expect(() => readGivenMysql(url, env)).not.toThrow(/secret|p%40s/);
  });

  it('a MySQL address that formatMysqlUrl wrote is parsed to the same values', () => {
    for (const options of ['', '?tls=off'])
      expect(
        parsePlatformAddress(formatMysqlUrl(readGivenMysql(at('db.example', options), {}), 'd')),
      ).toMatchObject({
        nodes: [{ host: 'db.example', port: 3_306 }],
        password: 'p@s',
        database: 'd',
        tls: options === '' ? 'required' : 'off',
      });
  });

  it('the launcher and the processes use the same TLS options for a database server', () => {
    expect(TLS_OPTIONS).toEqual(toTlsOptions());
  });
});

it('hintAtTls returns a hint only for TLS errors', () => {
  expect(hintAtTls(new Error('Server does not support secure connection'), 'required')).toMatch(/\?tls=off/);
  expect(
    hintAtTls(
      Object.assign(new Error('unable to verify'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      'required',
    ),
  ).toBeUndefined();
  expect(hintAtTls(new Error('unable to get local issuer certificate'), 'required')).toMatch(
    /NODE_EXTRA_CA_CERTS/,
  );
  expect(
    hintAtTls(
      new Error('Connections using insecure transport are prohibited while --require_secure_transport=ON.'),
      'off',
    ),
  ).toMatch(/\?tls=required/);
  expect(hintAtTls(new Error('connect ECONNREFUSED'), 'required')).toBeUndefined();
});
