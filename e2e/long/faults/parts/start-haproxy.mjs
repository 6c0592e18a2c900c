// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { provideHaproxy } from '@rowhouse/test-servers/provide-programs';
import { createTerminalReport } from '@rowhouse/local/report';
import { waitFor } from '../../../support/wait.mjs';

const CONFIG = fileURLToPath(new URL('../../../../infra/balancer/haproxy.cfg', import.meta.url));

/**
 * Starts infra/balancer in front of two gateways. The third gateway of its configuration never exists.
 * @param {{ url: string, metricsUrl: string }[]} gateways
 * @returns `hotSlots` is the map of `write-hot-slots.mjs`, which applies from the next `reload` on
 */
export async function startHaproxy(gateways) {
  const program = await provideHaproxy(createTerminalReport());
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-haproxy-'));
  const hotSlots = join(folder, 'hot-slots.map');
  writeFileSync(hotSlots, '');
  const port = await findFreePort();
  const dead = `127.0.0.1:${await findFreePort()}`;
  const env = {
    ...process.env,
    BALANCER_BIND: `127.0.0.1:${port}`,
    BALANCER_HOT_SLOTS: hotSlots,
    GATEWAY_3: dead,
    GATEWAY_3_METRICS: dead.split(':')[1],
  };
  for (const [index, { url, metricsUrl }] of gateways.entries()) {
    Object.assign(env, {
      [`GATEWAY_${index + 1}`]: new URL(url).host,
      [`GATEWAY_${index + 1}_METRICS`]: new URL(metricsUrl).port,
    });
  }
  const child = spawn(program, ['-W', '-db', '-f', CONFIG], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(
    'the balancer answers',
    () =>
      fetch(url).then(
        (res) => res.status < 500,
        () => false,
      ),
    { timeoutMs: 20_000 },
  );
  return {
    url,
    hotSlots,
    /**
     * HAProxy's master process starts a new worker that reads the map, and lets the previous worker finish
     * its requests.
     */
    reload: () => child.kill('SIGUSR2'),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
