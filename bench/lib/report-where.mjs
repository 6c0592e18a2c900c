// @ts-check
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countWhile } from './count-server.mjs';
import { profileWhile, sampleAllocations, shortenUrl, sumAllocations, sumProfile } from './profile.mjs';
import { runOne } from './run-rounds.mjs';

const FILES_SHOWN_MAX = 25;
const FUNCTIONS_SHOWN_MAX = 30;
const ALLOCATORS_SHOWN_MAX = 40;

/**
 * Profiles an additional run of a target. Profiling slows the run down, so only the shares are meaningful.
 * Prints the largest parts and the server's counters per request, and writes the profile to `folder`.
 * @param {{ target: import('./bench-case.mjs').BenchTarget, port: number, folder: string, databaseUrl:
 *   string, databasePid: number, entry: { file: string, name: string, benchCase:
 *   import('./bench-case.mjs').BenchCase }, size: import('./bench-case.mjs').DataSize, load:
 *   import('./run-rounds.mjs').Load }} options
 */
export async function reportWhere({ target, port, folder, databaseUrl, databasePid, entry, size, load }) {
  const [pid] = target.pids;
  if (pid === undefined) return;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${entry.benchCase.name}-${target.name}.cpuprofile`);
  /** @type {Awaited<ReturnType<typeof profileWhile>>['profile'] | null} */
  let profile = null;
  let message = '';
  const counted = await countWhile(databaseUrl, async () => {
    const found = await profileWhile({ pid, port, file }, () =>
      runOne(target, entry, size, databasePid, load),
    );
    profile = found.profile;
    const requests = Math.round((found.result.perSecond * load.durationMs) / 1_000);
    message = `${requests} requests, ${(found.result.cpuUs ?? Number.NaN).toFixed(0)} us of CPU each, of the database ${(found.result.databaseCpuUs ?? Number.NaN).toFixed(0)}`;
    return { requests };
  });
  console.log(
    `\n${entry.benchCase.name} of ${target.name}: ${message}\nserver counters per request: ${counted.map(({ name, each }) => `${name} ${each.toFixed(2)}`).join(', ')}`,
  );
  if (profile === null) return;
  printSums(
    profile,
    'file',
    ({ url, functionName }) => (url === '' ? functionName : shortenUrl(url)),
    FILES_SHOWN_MAX,
  );
  printSums(profile, 'function', nameFunction, FUNCTIONS_SHOWN_MAX);
  await reportAllocations(
    { pid, port },
    () => runOne(target, entry, size, databasePid, load),
    load.durationMs,
  );
}

/** @param {{ url: string, functionName: string, lineNumber: number }} frame */
function nameFunction({ url, functionName, lineNumber }) {
  return `${functionName === '' ? '(anonymous)' : functionName} ${shortenUrl(url)}:${lineNumber + 1}`;
}

/**
 * Prints the allocations of one more run.
 * @param {{ pid: number, port: number }} process_
 * @param {() => ReturnType<typeof runOne>} run
 * @param {number} durationMs
 */
async function reportAllocations(process_, run, durationMs) {
  const { result, head } = await sampleAllocations(process_, run);
  const sums = sumAllocations(head, nameFunction);
  const bytes = sums.reduce((sum, item) => sum + item.bytes, 0);
  const requests = (result.perSecond * durationMs) / 1_000;
  console.log(`allocations: ${(bytes / requests / 1_024).toFixed(1)} KB per request:`);
  for (const { name, bytes: own } of sums.slice(0, ALLOCATORS_SHOWN_MAX))
    console.log(`  ${(own / requests).toFixed(0).padStart(6)} bytes  ${name}`);
}

/**
 * @param {import('./profile.mjs').CpuProfile} profile
 * @param {string} by
 * @param {Parameters<typeof sumProfile>[1]} toName
 * @param {number} maximum
 */
function printSums(profile, by, toName, maximum) {
  console.log(`by ${by}:`);
  for (const { name, share } of sumProfile(profile, toName).slice(0, maximum))
    console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
}
