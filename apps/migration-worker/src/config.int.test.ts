import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const ENV = {
  PATH: process.env['PATH'] ?? '',
  PLATFORM_CELL_URL: 'mysql://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  ROWHOUSE_MASTER_KEY: Buffer.alloc(32).toString('base64url'),
  ROWHOUSE_SERVER_PRIVATE_KEY: 'none',
};

function start(env: Record<string, string>) {
  return spawnSync(process.execPath, [ENTRY], { env: { ...ENV, ...env }, encoding: 'utf8', timeout: 30_000 });
}

describe('the worker at start', () => {
  it.each(['production', 'development'])('a worker rejects fail points in %s', (environment) => {
    const { status, stderr } = start({ ROWHOUSE_ENV: environment, FAIL_POINTS: 'before-ddl' });
    expect([status, /FAIL_POINTS: fail points are for tests/.test(stderr)]).toEqual([78, true]);
  });
  it('a worker runs in the production environment by default', () => {
    expect(start({ FAIL_POINTS: 'before-ddl' }).status).toBe(78);
  });
  it('a starting worker reports all configuration problems together', () => {
    const { stderr } = start({ REDIS_URL: '', METRICS_PORT: 'x' });
    expect(stderr).toMatch(/REDIS_URL[^]*METRICS_PORT|METRICS_PORT[^]*REDIS_URL/);
  });
});
