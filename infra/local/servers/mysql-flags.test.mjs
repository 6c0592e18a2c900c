import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBaseFlags, listServerFlags, SMALL_SERVER_FLAGS } from './mysql-flags.mjs';
import { rootDir } from '../paths.mjs';

const input = {
  usrDir: '/usr',
  isUnpacked: false,
  dataDir: '/d',
  filesDir: '/f',
  tmpDir: '/t',
  socket: '/s',
  pidFile: '/p',
  initFile: '/i',
  port: 1,
  bufferPoolMb: 256,
};
const adminPort = 3307;

/** Flags that name paths and ports of one instance, which the comparison ignores. */
const OWN =
  /^--(no-defaults|datadir|secure-file-priv|tmpdir|basedir|lc-messages-dir|user|socket|port|bind-address|pid-file|init-file|innodb-buffer-pool-size|skip-log-bin)/;

describe('listServerFlags', () => {
  it.each([
    ['tenants', 'rowhouse.cnf'],
    ['platform', 'platform.cnf'],
  ])('listServerFlags gives a MariaDB server for %s the settings of %s', (role, name) => {
    const file = readFileSync(join(rootDir, 'infra', 'mysql', name), 'utf8');
    const lines = file
      .split('\n')
      .filter((line) => /^[a-z]/.test(line))
      .map((line) => `--${line.replace(' = ', '=')}`);
    const small = [...SMALL_SERVER_FLAGS.both, ...SMALL_SERVER_FLAGS.mariadb];
    const flags = listServerFlags({
      ...input,
      engine: 'mariadb',
      role: /** @type {'tenants' | 'platform'} */ (role),
      ...(role === 'tenants' ? { adminPort } : {}),
    });
    const compared = flags.filter((flag) => !OWN.test(flag) && !small.includes(flag));
    expect(
      lines.filter((line) => !/^--(sync-binlog|binlog-format|secure-file-priv)/.test(line)).sort(),
    ).toEqual(compared.sort());
  });

  it('listServerFlags starts with --no-defaults, binds loopback and allows no file access', () => {
    for (const engine of /** @type {const} */ (['mariadb', 'mysql'])) {
      const flags = listServerFlags({ ...input, engine });
      expect(flags[0]).toBe('--no-defaults');
      expect(flags).toEqual(
        expect.arrayContaining([
          '--bind-address=127.0.0.1',
          '--local-infile=0',
          '--secure-file-priv=/f',
          '--skip-name-resolve',
        ]),
      );
    }
  });

  it('listServerFlags opens an admin port only on request, on MySQL only on loopback', () => {
    const read = (/** @type {'mariadb' | 'mysql'} */ engine) =>
      listServerFlags({ ...input, engine, adminPort }).filter((flag) => /extra|admin/.test(flag));
    expect(read('mariadb')).toEqual(['--extra-port=3307', '--extra-max-connections=500']);
    expect(read('mysql')).toEqual([
      '--admin-address=127.0.0.1',
      '--admin-port=3307',
      '--create-admin-listener-thread=ON',
    ]);
    expect(listServerFlags({ ...input, engine: 'mariadb' }).join(' ')).not.toMatch(/extra-port/);
  });

  it('listServerFlags binds other addresses only on request and with TLS', () => {
    const certificate = { caFile: '/ca', certFile: '/cert', keyFile: '/key' };
    for (const engine of /** @type {const} */ (['mariadb', 'mysql'])) {
      const read = (/** @type {string} */ bind) =>
        listServerFlags({ ...input, engine, direct: { bind, certificate } });
      expect(read('192.0.2.1')).toEqual(
        expect.arrayContaining([
          '--bind-address=127.0.0.1,192.0.2.1',
          '--ssl-ca=/ca',
          '--ssl-cert=/cert',
          '--ssl-key=/key',
          '--tls-version=TLSv1.2,TLSv1.3',
        ]),
      );
      expect(read('0.0.0.0')).toContain('--bind-address=0.0.0.0');
      expect(listServerFlags({ ...input, engine }).join(' ')).not.toContain('ssl');
    }
  });

  it('listServerFlags limits the system tablespace, but never below its current size', () => {
    const read = (/** @type {number | undefined} */ systemSpaceMb) =>
      listServerFlags({
        ...input,
        engine: 'mysql',
        ...(systemSpaceMb === undefined ? {} : { systemSpaceMb }),
      }).find((flag) => flag.includes('ibdata1'));
    expect([read(undefined), read(12), read(1500)]).toEqual(
      ['1024M', '1024M', '1500M'].map((max) => `--innodb-data-file-path=ibdata1:12M:autoextend:max:${max}`),
    );
    expect(listServerFlags({ ...input, engine: 'mariadb' }).join(' ')).not.toContain('ibdata1');
  });

  it('listServerFlags gives each server its own folder for temporary files', () => {
    for (const engine of /** @type {const} */ (['mariadb', 'mysql'])) {
      expect(listServerFlags({ ...input, engine })).toContain('--tmpdir=/t');
      expect(listBaseFlags(input)).toContain('--tmpdir=/t');
    }
  });
});
