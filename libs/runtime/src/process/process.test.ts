import { spawn } from 'node:child_process';
import { inspect } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createId, randomBase32 } from '../ids.js';
import { createMetrics, markReady } from './metrics.js';
import { startOpsServer, type ReadinessReport } from './ops-server.js';
import { Secret } from '../config/secret.js';

const entry = new URL('../../dist/index.js', import.meta.url).href;
const zod = import.meta.resolve('zod');

/** Runs a module in a separate process, because the tested functions end their process. */
async function runModule(
  code: string,
  options: {
    readonly env?: Record<string, string>;
    readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += String(chunk);
    options.onOutput?.(stdout, (signal) => child.kill(signal));
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ code: status, stdout, stderr }));
  });
}

describe('Secret', () => {
  it('a secret is never printed', () => {
    const secret = new Secret('hunter2');
    for (const text of [
      String(secret),
      ''.concat(secret as unknown as string),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: { secret } }),
    ]) {
      expect(text).not.toContain('hunter2');
      expect(text).toContain('[redacted]');
    }
    expect(secret.reveal()).toBe('hunter2');
    expect(Object.values(secret)).toEqual([]);
  });
});

describe('ids', () => {
  it('generated ids have a prefix and 20 base32 characters', () => {
    expect(createId('prj')).toMatch(/^prj_[a-z2-7]{20}$/);
    expect(new Set(Array.from({ length: 1_000 }, () => createId('db'))).size).toBe(1_000);
  });
  it('generated ids use the whole base32 alphabet', () => {
    expect(new Set(randomBase32(5_000)).size).toBe(32);
  });
});

describe('readConfig', () => {
  const read = `import { readConfig, secretText, portNumber } from '${entry}'; import { z } from '${zod}';
    const config = readConfig(z.object({ NAME: z.string(), PORT: portNumber(80), KEY: secretText() })); console.log(JSON.stringify(config));`;
  it('readConfig reports all problems at once and exits with code 78', async () => {
    const { code, stderr, stdout } = await runModule(read, { env: { PORT: '70000', NAME: '' } });
    expect(code).toBe(78);
    expect(stdout).toBe('');
    for (const name of ['NAME', 'PORT', 'KEY']) expect(stderr).toContain(name);
  });
  it('readConfig returns values and defaults, with redacted secrets', async () => {
    const { code, stdout } = await runModule(read, { env: { NAME: 'n', KEY: 'hunter2' } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ NAME: 'n', PORT: 80, KEY: '[redacted]' });
  });
});

describe('createShutdown', () => {
  const prepare = `import { createLogger, createShutdown } from '${entry}';
    const shutdown = createShutdown(createLogger('t', 'silent'), { deadlineMs: 300 }); const say = (text) => process.stdout.write(text + '\\n'); setInterval(() => undefined, 1000);`;
  it('SIGTERM runs all closers in reverse order and exits with 0, even if one throws', async () => {
    const code = `${prepare} shutdown.register('a', () => say('a')); shutdown.register('b', () => { throw new Error('b'); }); shutdown.register('c', async () => say('c')); say('ready');`;
    const ended = await runModule(code, {
      onOutput: (text, kill) => text.endsWith('ready\n') && kill('SIGTERM'),
    });
    expect(ended).toMatchObject({ code: 0, stdout: 'ready\nc\na\n' });
  });
  it('the exit code is 1 when a shutdown closer exceeds the deadline', async () => {
    const code = `${prepare} shutdown.register('a', () => new Promise(() => undefined)); say('ready');`;
    const ended = await runModule(code, {
      onOutput: (text, kill) => text.endsWith('ready\n') && kill('SIGTERM'),
    });
    expect(ended.code).toBe(1);
  });
  it('shutdown closers run once when stop is called twice', async () => {
    const code = `${prepare} shutdown.register('a', () => say('a')); void shutdown.stop('one', 3); void shutdown.stop('two', 4);`;
    expect(await runModule(code)).toMatchObject({ code: 3, stdout: 'a\n' });
  });
});

describe('startOpsServer', () => {
  it('the ops server reports the start duration when the process is ready', async () => {
    const registry = createMetrics('test');
    expect(registry.getSingleMetric('process_ready_after_seconds')).toBeUndefined();
    markReady(registry);
    expect(
      (await registry.getSingleMetric('process_ready_after_seconds')?.get())?.values[0]?.value,
    ).toBeGreaterThan(0);
  });

  it('the ops server serves liveness, readiness with reasons, and metrics', async () => {
    let reasons: ReadinessReport = { db: 'away' };
    const server = await startOpsServer({
      host: '127.0.0.1',
      port: 0,
      registry: createMetrics('test'),
      readiness: () => reasons,
    });
    const get = async (path: string): Promise<{ status: number; text: string }> => {
      const res = await fetch(`http://127.0.0.1:${server.port}${path}`);
      return { status: res.status, text: await res.text() };
    };
    expect(await get('/livez')).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(await get('/readyz')).toEqual({
      status: 503,
      text: '{"status":"not_ready","reasons":{"db":"away"}}',
    });
    reasons = {};
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/readyz?verbose=1')).status).toBe(200);
    expect((await get('/metrics')).text).toContain('service="test"');
    expect((await get('/other')).status).toBe(404);
    await server.close();
  });
  it('a readiness check that throws does not end the ops server', async () => {
    const server = await startOpsServer({
      host: '127.0.0.1',
      port: 0,
      registry: createMetrics('test'),
      readiness: () => {
        throw new Error('broken');
      },
    });
    expect((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${server.port}/livez`)).status).toBe(200);
    await server.close();
  });
});
