import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from './lock-file.mjs';
import { isStillRunning, readProcessIdentity } from './process-identity.mjs';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rowhouse-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('acquireLock', () => {
  it('acquireLock returns a lock only after its running holder has released it', async () => {
    const first = await acquireLock(path);
    const second = await acquireLock(path);
    expect(second).toMatchObject({ held: false, holder: { pid: process.pid } });
    if (first.held) first.release();
    expect((await acquireLock(path)).held).toBe(true);
  });

  it('acquireLock ignores a lock whose process id belongs to another process now', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, startTime: '1', commandLine: 'node start.mjs' }));
    expect((await acquireLock(path)).held).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8')).startTime).toBe(
      readProcessIdentity(process.pid)?.startTime,
    );
  });

  it('acquireLock ignores a damaged lock file', async () => {
    writeFileSync(path, '{');
    expect((await acquireLock(path)).held).toBe(true);
  });

  it('acquireLock gives the lock to exactly one of many processes', async () => {
    writeFileSync(path, JSON.stringify({ pid: 999_999_999, startTime: '1', commandLine: '' }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));
    expect(answers.filter((answer) => answer.held)).toHaveLength(1);
    expect(existsSync(path)).toBe(true);
  });
});

describe('isStillRunning', () => {
  it('isStillRunning returns true for a running process and false for an ended one', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = readProcessIdentity(Number(child.pid));
    expect(identity).not.toBeNull();
    if (identity === null) return;
    expect(isStillRunning(identity)).toBe(true);
    expect(isStillRunning({ ...identity, startTime: `${identity.startTime}0` })).toBe(false);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(isStillRunning(identity)).toBe(false);
  });
});
