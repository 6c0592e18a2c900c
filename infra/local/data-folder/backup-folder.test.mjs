import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { restoreBackup, writeBackup } from './backup-folder.mjs';
import { readProcessIdentity } from '../processes/process-identity.mjs';

const home = mkdtempSync(join(tmpdir(), 'rh-backup-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let dataDir = '';
let run = 0;
/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(dataDir, path)), { recursive: true });
  writeFileSync(join(dataDir, path), text);
}
beforeEach(() => {
  dataDir = join(home, `data-${(run += 1)}`);
  write('secrets.json', '{"masterKey":"k"}');
  write('state.json', '{}');
  write('mysql/data/.rowhouse-made', '');
  write('mysql/data/ibdata1', 'pages');
  write('mysql/data/rowhouse@005fglobal/account.ibd', 'accounts');
  write('tls/ca.pem', 'authority');
  write('redis/dump.rdb', 'not kept');
  write('logs/gateway.log', 'not kept');
});
const target = () => join(home, `backup-${run}`);
const fresh = () => join(home, `fresh-${run}`);

describe('backups', () => {
  it('a restored backup equals the installation, and only its owner can read it', async () => {
    const manifest = await writeBackup(dataDir, target());
    expect(manifest.files.map((file) => file.path).sort()).toEqual([
      'mysql/data/.rowhouse-made',
      'mysql/data/ibdata1',
      'mysql/data/rowhouse@005fglobal/account.ibd',
      'secrets.json',
      'state.json',
      'tls/ca.pem',
    ]);
    mkdirSync(fresh());
    await restoreBackup(target(), fresh());
    expect(readFileSync(join(fresh(), 'mysql/data/rowhouse@005fglobal/account.ibd'), 'utf8')).toBe(
      'accounts',
    );
    expect(existsSync(join(fresh(), 'redis'))).toBe(false);
    expect([statSync(join(fresh(), 'secrets.json')).mode & 0o077, statSync(fresh()).mode & 0o077]).toEqual([
      0, 0,
    ]);
  });

  it('a backup contains a database folder on another disk, and fails if that folder is missing', async () => {
    const disk = join(home, `disk-${run}`);
    renameSync(join(dataDir, 'mysql/data'), disk);
    symlinkSync(disk, join(dataDir, 'mysql/data'));
    renameSync(join(disk, 'rowhouse@005fglobal'), `${disk}-global`);
    symlinkSync(`${disk}-global`, join(disk, 'rowhouse@005fglobal'));
    await writeBackup(dataDir, target());
    await restoreBackup(target(), fresh());
    expect(readFileSync(join(fresh(), 'mysql/data/ibdata1'), 'utf8')).toBe('pages');
    expect(readFileSync(join(fresh(), 'mysql/data/rowhouse@005fglobal/account.ibd'), 'utf8')).toBe(
      'accounts',
    );
    rmSync(`${disk}-global`, { recursive: true });
    await expect(writeBackup(dataDir, `${target()}-again`)).rejects.toThrow(
      /rowhouse@005fglobal is a link to .*, which does not exist/,
    );
    expect(existsSync(`${target()}-again.part`)).toBe(false);
  });

  it('a backup with a changed, missing or misplaced file is rejected and leaves nothing behind', async () => {
    await writeBackup(dataDir, target());
    const list = join(target(), 'backup.json');
    const manifest = readFileSync(list, 'utf8');
    const reject = async (/** @type {RegExp} */ why) => {
      await expect(restoreBackup(target(), fresh())).rejects.toThrow(why);
      expect([existsSync(fresh()), existsSync(`${fresh()}.restoring`)]).toEqual([false, false]);
    };
    writeFileSync(list, manifest.replace('"state.json"', '"../state.json"'));
    await reject(/outside/);
    writeFileSync(list, manifest);
    writeFileSync(join(target(), 'mysql/data/ibdata1'), 'other');
    await reject(/ibdata1 .* has changed since the backup/);
    rmSync(join(target(), 'mysql/data/ibdata1'));
    await reject(/ibdata1 is missing/);
    rmSync(list);
    await reject(/is not a backup/);
  });

  it('a backup is rejected for a running or empty installation and for an existing target', async () => {
    const self = readProcessIdentity(process.pid);
    write(
      'processes.json',
      JSON.stringify([{ name: 'mariadb', pid: process.pid, startTime: self?.startTime }]),
    );
    await expect(writeBackup(dataDir, target())).rejects.toThrow(/mariadb .* is still running/);
    write('processes.json', '[]');
    await expect(writeBackup(dataDir, join(dataDir, 'backup'))).rejects.toThrow(
      /cannot be inside the folder/,
    );
    await writeBackup(dataDir, target());
    await expect(writeBackup(dataDir, target())).rejects.toThrow(/already exists/);
    await expect(restoreBackup(target(), dataDir)).rejects.toThrow(/is not empty/);
    await expect(writeBackup(join(home, 'nothing'), join(home, 'of-nothing'))).rejects.toThrow(
      /has no installation/,
    );
  });
});
