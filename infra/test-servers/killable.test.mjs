import { describe, expect, it } from 'vitest';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '@rowhouse/local/processes/child';
import { toKillable } from './killable.mjs';

describe('toKillable', () => {
  it('toKillable kills the current process of a server and waits until it has ended', async () => {
    let child = await start();
    const killable = toKillable(() => child);
    const first = killable.pid();
    expect(killable.isRunning()).toBe(true);
    await killable.kill();
    expect([killable.isRunning(), child.ending]).toEqual([false, 'SIGKILL']);
    child = await start();
    expect(killable.pid()).not.toBe(first);
    await killable.kill();
  });
});

function start() {
  return startChild({
    name: 'sleeper',
    command: process.execPath,
    args: ['-e', 'setInterval(() => undefined, 1000)'],
    logFile: join(tmpdir(), `rowhouse-killable-${process.pid}.log`),
  });
}
