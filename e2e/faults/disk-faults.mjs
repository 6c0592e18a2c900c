// @ts-check
/**
 * Lets one tenant fill the disk of its database server. Its writes are rejected before the disk is full, and
 * no other tenant's are.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { claimNone, listFaults, serves, startTenantLoad } from './fault-stage.mjs';

const MIB = 1024 * 1024;
/** The size of the disk. The server's own files take about 130 MiB. */
const DISK_BYTES = 760 * MIB;
const STORAGE_BYTES_MAX = 360 * MIB;
const NOTE = 'x'.repeat(190);
const ROWS_PER_REQUEST = 4_000;
/** The maximum number of requests, whose rows would need far more space than the disk has. */
const REQUESTS_MAX = 3_000;

/**
 * Mounts a small disk in memory and passes its folder to `use`.
 * @template T
 * @param {(homeDir: string) => Promise<T>} use
 * @returns {Promise<T | null>} null when this user may not mount one
 */
export async function withSmallDisk(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  try {
    return await use(folder);
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {import('./second-server.mjs').SecondServer} second
 * @param {{ offender: import('./fault-stage.mjs').Tenant, neighbour: import('./fault-stage.mjs').Tenant }} tenants
 * @param {{ perSecond: number }} options
 * @returns {Promise<import('./fault-stage.mjs').Outcome>}
 */
export async function runDiskFault(environment, second, { offender, neighbour }, { perSecond }) {
  expectStatus(
    await second.control.call('PATCH', `/api/admin/servers/${second.id}`, {
      storage_bytes_max: STORAGE_BYTES_MAX,
    }),
    [200],
    'tell the capacity',
  );
  const load = await startTenantLoad(environment, neighbour, { perSecond: perSecond / 2, prefix: 'n' });
  const api = openApi(environment.gateways[0] ?? '', offender.key);
  /** @type {string[]} */
  const faults = [];
  let stored = 0;
  let rejected = 0;
  for (let request = 0; request < REQUESTS_MAX && rejected < 20; request += 1) {
    const response = await api.post(
      '/entries',
      Array.from({ length: ROWS_PER_REQUEST }, (_, index) => ({
        mark: `fill ${request} ${index}`,
        note: NOTE,
      })),
    );
    if (response.status === 201) stored += 1;
    else if (response.json?.code === 'limit.storage') rejected += 1;
    else faults.push(`filling answered ${response.status} ${response.text.slice(0, 200)}`);
    // The product checks the disk every five seconds, so it notices in time.
    await sleep(rejected > 0 ? 50 : 100);
  }
  const reads = await serves(environment.gateways[0] ?? '', offender.key);
  const path = `/entries/${(await api.get('/entries?limit=1&_select=id')).json?.[0]?.id}`;
  const deleted = await api.delete(path);
  const isRemoved = (await api.get(path)).status === 404;
  await sleep(500);
  const requests = load.take();
  const { lost, ghosts } = await load.settle();
  const { bavail, bsize } = statfsSync(second.homeDir);
  const freeMib = Math.round((bavail * bsize) / MIB);
  return {
    claims: [
      {
        claim: 'a tenant that fills its server gets 507 before the disk is full',
        holds: rejected === 20 && stored > 0 && freeMib > 0 && faults.length === 0,
        found: faults[0] ?? `after ${stored} times ${ROWS_PER_REQUEST} records, ${freeMib} MiB free`,
      },
      {
        claim: 'the tenant can still read and delete',
        holds: reads && [200, 204].includes(deleted.status) && isRemoved,
        found: `read ${reads}, delete ${deleted.status}, gone ${isRemoved}`,
      },
      claimNone(
        'another tenant on the same server can still create records, and loses none',
        [...listFaults(requests), ...lost, ...ghosts],
        `of ${requests.length}`,
      ),
      { claim: 'the server stays up', holds: second.isRunning(), found: String(second.isRunning()) },
    ],
    figures: {
      disk_mib: DISK_BYTES / MIB,
      storage_mib_max: STORAGE_BYTES_MAX / MIB,
      free_mib: freeMib,
      requests_stored: stored,
    },
  };
}
