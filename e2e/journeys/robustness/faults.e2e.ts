import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { openLedgerTenant, stopLoads, type FaultEnvironment } from '../../faults/fault-stage.mjs';
import { runFlushes, runPoison } from '../../faults/redis-faults.mjs';
import { runRandomKills } from '../../faults/random-kills.mjs';
import { openControl, signUp } from '../../support/control.mjs';
import { pidOf, signalProcess, waitForSuccessor } from '../../support/processes.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * Kills each process once, and poisons Redis. `pnpm test:long faults` has a hundred kills, outages, stalls,
 * wrong clocks and a full disk.
 */
const product = readProduct();
const NAMES: Record<string, string> = { mariadb: 'mysql', 'mariadb-platform': 'platform-mysql' };
const processes = {
  listProcesses: () =>
    (
      JSON.parse(readFileSync(join(product.dataDir, 'processes.json'), 'utf8')) as {
        name: string;
        pid: number;
      }[]
    ).map((item) => ({ ...item, name: NAMES[item.name] ?? item.name })),
};
const environment: FaultEnvironment = {
  ...processes,
  control: product.control,
  gateways: product.gateways,
  metricsUrls: product.metricsUrls,
  admin: product.mysql,
  platform: product.platform,
  redisUrl: product.redisUrl,
  dataDir: product.dataDir,
  async killDatabase() {
    const pid = pidOf(processes, 'mysql');
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  },
};
/** Returns the claims that do not hold, except those about durations, which only the long suite measures. */
const failing = ({
  claims,
}: {
  claims: readonly { claim: string; holds: boolean; found: string }[];
}): string[] =>
  claims
    .filter(({ claim, holds }) => !holds && !/within \d+ ms/.test(claim))
    .map(({ claim, found }) => `${claim}: ${found}`);

afterAll(stopLoads);

it('killing a process loses no acknowledged write and affects no other tenant', async () => {
  const tenant = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'faults', starter: 'empty' }),
  );
  const outcome = await runRandomKills(environment, tenant, {
    kills: 6,
    seed: 1,
    perSecond: 50,
    rows: 3_000,
    deck: ['gateway', 'redis', 'worker', 'control', 'database', 'platform'],
  });
  expect(failing(outcome)).toEqual([]);
});

it('sign-in and GET /api/me work while the server of tenant databases is killed repeatedly', async () => {
  const { email, password } = product.demo;
  const answers: number[] = [];
  let isFinished = false;
  const asking = (async (): Promise<void> => {
    while (!isFinished) {
      const control = openControl(product.control);
      answers.push(
        (await control.call('POST', '/api/auth/login', { email, password })).status,
        (await control.call('GET', '/api/me')).status,
      );
    }
  })();
  for (let kill = 0; kill < 3; kill += 1) {
    const pid = await signalProcess(processes, 'mysql');
    const before = answers.length;
    await vi.waitUntil(() => answers.length >= before + 4);
    await waitForSuccessor(processes, 'mysql', pid);
  }
  isFinished = true;
  await asking;
  expect(answers.filter((status) => status !== 200)).toEqual([]);
});

it('flushing and poisoning Redis exposes no rows of another tenant', async () => {
  const [first, second] = [
    await openLedgerTenant(environment, await signUp(product.control, { name: 'red', starter: 'empty' })),
    await openLedgerTenant(environment, await signUp(product.control, { name: 'blue', starter: 'empty' })),
  ];
  expect(failing(await runFlushes(environment, first, { times: 2, perSecond: 50 }))).toEqual([]);
  expect(
    failing(await runPoison(environment, [first, second], { perSecond: 40, poisons: ['of another tenant'] })),
  ).toEqual([]);
});
