import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWorker, GATEWAY_FLAGS, listNodeFlags } from './app-processes.mjs';
import { rootDir } from '../paths.mjs';

/**
 * Variables that the launcher does not pass to a worker: it sets the worker's name itself, and fail points
 * are for tests only.
 */
const NOT_SET = ['WORKER_ID', 'FAIL_POINTS', 'FAIL_POINT_FILE'];

it('the launcher passes every variable that the worker reads', () => {
  const [, section = ''] =
    /## migration-worker([^]*)/.exec(readFileSync(join(rootDir, 'docs', 'config.md'), 'utf8')) ?? [];
  const names = [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
  const env = Object.fromEntries(names.map((name) => [name, 'set']));
  const secrets = { masterKey: 'm', pepper: 'p', serverPublicKey: 'k', serverPrivateKey: 's' };
  const context = /** @type {any} */ ({
    database: { host: '127.0.0.1', port: 1 },
    passwords: {},
    secrets,
    env,
    extraEnv: {},
  });
  expect(names).toContain('DIRECT_MEMORY_MB');
  expect(
    names.filter((name) => !(name in describeWorker(context, 1, 0).env) && !NOT_SET.includes(name)),
  ).toEqual([]);
});

it("listNodeFlags omits the flags that the process's NODE_OPTIONS set", () => {
  expect(listNodeFlags({ env: {}, nodeFlags: GATEWAY_FLAGS })).toEqual(GATEWAY_FLAGS);
  expect(
    listNodeFlags({
      env: { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=16' },
      nodeFlags: GATEWAY_FLAGS,
    }),
  ).toEqual(['--heap-growing-percent=60', '--no-allocation-site-pretenuring']);
  expect(listNodeFlags({ env: {} })).toEqual([]);
});
