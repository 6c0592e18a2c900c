import { appendFileSync } from 'node:fs';
import type { AdminConnection } from '@rowhouse/mysql';
import { createTestDatabase, getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkerDeployer, MODES, type Deployer } from '../testing/schema-changes/deploy-sequences.js';
import { createHttpDeployer, type ProductAddress } from '../testing/schema-changes/http-deployer.js';
import {
  createPlannedDeployer,
  openSessions as openPlannedLane,
} from '../testing/schema-changes/planned-deployer.js';
import {
  dropTables,
  runPlain,
  takeSequence,
  type PlainRun,
  type PlainServer,
  type TakenSequence,
  UNOBSERVED,
  UnsoundError,
} from '../testing/schema-changes/plain-sequence.js';
import { showSequence, shrinkSequence } from '../testing/schema-changes/shrink-sequence.js';
import { isCheckedWhole, trySequences, type Verdict } from '../testing/schema-changes/try-sequences.js';
import { WorkerHarness } from '../testing/worker-harness.js';

const setting = (name: string, usual: number): number =>
  Number(process.env[`SCHEMA_CHANGES_${name}`] ?? usual);
const RUNS = setting('RUNS', 4);
const SEED = setting('SEED', 1);
const PARALLEL = setting('PARALLEL', 2);
/** The duration in seconds after which no further sequence begins. */
const SECONDS = setting('SECONDS', 86_400);
/**
 * The interval at which results are printed, in milliseconds. If a run is ended early, most of its results
 * are therefore known.
 */
const SUMMARY_EVERY_MS = 60_000;
const SHRINK = setting('SHRINK', 3);
/**
 * How the schema is changed: `planned` or `worker` in this process, or `http` with the addresses of a running
 * product.
 */
const WAY = process.env['SCHEMA_CHANGES_WAY'] ?? 'planned';
const BATCH = WAY === 'planned' ? 1 : setting('BATCH', 4);
const LOG = process.env['SCHEMA_CHANGES_LOG'];
const expected = (process.env['SCHEMA_CHANGES_MODES'] ?? MODES.join(',')).split(',');
const modes = MODES.filter((mode) => expected.includes(mode));

describe.each(getTestServers().engines)('on $engine', (mysql) => {
  let harness: WorkerHarness;
  let laneNumber = 0;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    if (WAY === 'worker') await harness.startWorker();
  });
  afterAll(() => harness.close());

  async function openLane(): Promise<{ plain: PlainServer; deployer: Deployer; close: () => Promise<void> }> {
    const database = await createTestDatabase(mysql, 'pl');
    const connection = await harness.openRoot(database.name);
    await connection.run(
      `ALTER DATABASE \`${database.name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
    );
    await connection.run(`USE \`${database.name}\``);
    const root = await harness.openRoot();
    const { deployer, end } = await openDeployer(root);
    const close = async (): Promise<void> => {
      await end();
      for (const adminConnection of [connection, root]) await adminConnection.close();
      await database.drop();
    };
    return { plain: { connection, schemaName: database.name, engine: mysql.engine }, deployer, close };
  }

  async function openDeployer(
    root: AdminConnection,
  ): Promise<{ deployer: Deployer; end: () => Promise<void> }> {
    if (WAY === 'worker')
      return { deployer: createWorkerDeployer(harness, root), end: () => Promise.resolve() };
    if (WAY === 'http') {
      const deployer = await createHttpDeployer(
        JSON.parse(process.env['SCHEMA_CHANGES_PRODUCT'] ?? '') as ProductAddress,
        root,
      );
      return { deployer, end: () => deployer.close() };
    }
    const lane = await openPlannedLane(mysql, (laneNumber += 1), (name) => harness.openRoot(name), root);
    return { deployer: await createPlannedDeployer(lane, root), end: () => lane.close() };
  }

  const log = (text: string): void =>
    LOG === undefined ? console.log(text) : appendFileSync(LOG, `${text}\n`);

  it(
    'every way to apply the same statements leads to the same schema and rows',
    async () => {
      const counts = new Map<string, number>();
      const faults: { sequence: TakenSequence; verdict: Verdict }[] = [];
      const seen = new Map<string, number>();
      let next = SEED;
      let done = 0;
      let rejectedPlain = 0;
      const startedMs = performance.now();
      let summaryMs = startedMs;
      const summarize = (): void => {
        summaryMs = performance.now();
        log(
          JSON.stringify({
            engine: mysql.engine,
            version: mysql.version,
            sequences: done,
            seconds: (summaryMs - startedMs) / 1_000,
            refusedPlain: rejectedPlain,
            counts: Object.fromEntries(counts),
          }),
        );
      };
      const callback = async (): Promise<void> => {
        const { plain, deployer, close } = await openLane();
        while (next < SEED + RUNS && performance.now() - startedMs < SECONDS * 1_000) {
          const first = next;
          next += BATCH;
          const taken: PlainRun[] = [];
          const observer = deployer.begin(plain);
          for (let seed = first; seed < Math.min(first + BATCH, SEED + RUNS); seed += 1) {
            const prefix = `q${seed - first}_`;
            const run = await takeSequence(
              plain,
              seed,
              prefix,
              isCheckedWhole(seed) ? UNOBSERVED : observer,
            ).catch(async (error: unknown) => {
              if (!(error instanceof UnsoundError)) throw error;
              counts.set('unsound', (counts.get('unsound') ?? 0) + 1);
              await dropTables(plain, prefix);
              return null;
            });
            if (run === null) continue;
            rejectedPlain += run.refused;
            taken.push(run);
          }
          for (const { sequence, verdicts } of await trySequences(deployer, plain, taken, modes)) {
            for (const verdict of verdicts) {
              const key = `${verdict.mode}: ${verdict.kind}${verdict.kind === 'same' ? '' : ` ${verdict.code}`}`;
              counts.set(key, (counts.get(key) ?? 0) + 1);
              if (verdict.kind === 'same') continue;
              faults.push({ sequence, verdict });
              const often = (seen.get(key) ?? 0) + 1;
              seen.set(key, often);
              if (often <= SHRINK) log(await shrink(sequence, verdict, plain, deployer));
              else
                log(
                  `${mysql.engine} seed ${sequence.seed} ${key} ${verdict.details.slice(0, 3).join(' | ').slice(0, 300)}`,
                );
            }
          }
          for (const { sequence } of taken) await dropTables(plain, sequence.prefix);
          done += Math.min(BATCH, SEED + RUNS - first);
          if (LOG !== undefined && performance.now() - summaryMs > SUMMARY_EVERY_MS) summarize();
        }
        await close();
      };
      await Promise.all(Array.from({ length: PARALLEL }, callback));
      summarize();
      expect(faults.filter(({ verdict }) => verdict.kind === 'wrong').length).toBe(0);
    },
    60_000 + RUNS * 60_000,
  );

  async function shrink(
    sequence: TakenSequence,
    verdict: Verdict,
    plain: PlainServer,
    deployer: Deployer,
  ): Promise<string> {
    let last = verdict;
    const smallest = await shrinkSequence(sequence, async (candidate) => {
      const run = await runPlain(plain, candidate, true).catch(() => null);
      if (run === null) return null;
      const [trial] = await trySequences(deployer, plain, [run], [verdict.mode]);
      const found = trial?.verdicts.find(
        (item) => item.mode === verdict.mode && item.kind === verdict.kind && item.code === verdict.code,
      );
      if (found === undefined) return null;
      last = found;
      return run.sequence;
    });
    const details = last.details
      .slice(0, 8)
      .map((line) => `=> ${line.slice(0, 600)}`)
      .join('\n');
    return `### ${mysql.engine}, ${verdict.mode}, ${verdict.kind}, ${verdict.code}\n${showSequence(smallest)}\n${details.replaceAll(sequence.prefix, '')}\n`;
  }
});
