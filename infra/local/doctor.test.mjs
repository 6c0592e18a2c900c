import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rootDir } from './paths.mjs';
import { readProcessIdentity } from './processes/process-identity.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rh-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [dataDir, cache] = [join(folder, 'data'), join(folder, 'cache')];

/**
 * Returns the line of the report with this label.
 * @param {string} label
 */
function readLine(label) {
  const { stdout } = spawnSync(process.execPath, [join(rootDir, 'infra', 'local', 'doctor.mjs')], {
    encoding: 'utf8',
    env: { PATH: join(folder, 'empty'), HOME: folder, XDG_CACHE_HOME: cache, ROWHOUSE_DATA_DIR: dataDir },
  });
  return stdout.split('\n').find((line) => line.startsWith(label)) ?? '';
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('doctor', () => {
  it('doctor reports the running server program, or else the unpacked one', () => {
    write(join(cache, 'rowhouse', 'debian-servers', 'root', 'usr', 'bin', 'valkey-server'), '');
    // On a machine with an installed Redis, the report names that Redis.
    expect(readLine('redis')).toMatch(/unpacked: .*\/valkey-server$|redis-server|valkey-server/);
    const self = readProcessIdentity(process.pid);
    write(
      join(dataDir, 'processes.json'),
      JSON.stringify([
        { name: 'mariadb', pid: process.pid, startTime: self?.startTime },
        { name: 'redis', pid: process.pid, startTime: 'another' },
      ]),
    );
    expect(readLine('database')).toContain(
      `running: ${self?.commandLine.split(' ')[0]} (process ${process.pid})`,
    );
    expect(readLine('redis')).not.toContain('running');
  });
});
