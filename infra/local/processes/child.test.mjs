import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { boundLog, readLogTail, startChild } from './child.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-child-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the log of a process', () => {
  it('boundLog copies a large log and empties it while the process is writing', async () => {
    const logFile = join(folder, 'talker.log');
    const child = await startChild({
      name: 'talker',
      command: process.execPath,
      args: ['-e', "let n = 0; setInterval(() => console.log('line', n++), 1)"],
      logFile,
    });
    while (!readLogTail(logFile).includes('line 50')) await sleep(5);
    boundLog(logFile, 100);
    expect(readFileSync(`${logFile}.1`, 'utf8')).toMatch(/^line 0\n/);
    while (readLogTail(logFile) === '') await sleep(5);
    // The first line is complete, so the process did not continue at its old offset and leave a gap of zero
    // bytes.
    expect(readFileSync(logFile, 'utf8')).toMatch(/^line \d+\n/);
    await child.stop(1_000);
  });
  it('boundLog does not change a small log', () => {
    const logFile = join(folder, 'none.log');
    expect(() => boundLog(logFile)).not.toThrow();
  });
});
