import { appendFileSync } from 'node:fs';
import { createTestDatabase, getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkerDeployer, MODES, type Deployer, type Mode } from './testing/schema-changes/deploy-sequences.js';
import { dropTables, takeSequence, type PlainServer, type TakenSequence } from './testing/schema-changes/plain-sequence.js';
import { showSequence, shrinkSequence } from './testing/schema-changes/shrink-sequence.js';
import { trySequences, type Verdict } from './testing/schema-changes/try-sequences.js';
import { WorkerHarness } from './testing/worker-harness.js';

const setting = (name: string, usual: number): number => Number(process.env[`SCHEMA_CHANGES_${name}`] ?? usual);
const RUNS = setting('RUNS', 8);
const SEED = setting('SEED', 1);
const LANES = setting('LANES', 3);
const BATCH = setting('BATCH', 4);
const SHRINK = setting('SHRINK', 3);
const LOG = process.env['SCHEMA_CHANGES_LOG'];
const wanted = (process.env['SCHEMA_CHANGES_MODES'] ?? MODES.join(',')).split(',');
const modes = MODES.filter((mode) => wanted.includes(mode));

describe.each(getTestServers().engines)('on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  async function openLane(): Promise<{ plain: PlainServer; deployer: Deployer; close: () => Promise<void> }> {
    const database = await createTestDatabase(mysql, 'pl');
    const connection = await harness.openRoot(database.name);
    await connection.run(`ALTER DATABASE \`${database.name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    await connection.run(`USE \`${database.name}\``);
    const root = await harness.openRoot();
    const close = async (): Promise<void> => {
      for (const one of [connection, root]) await one.close();
      await database.drop();
    };
    return { plain: { connection, schemaName: database.name, engine: mysql.engine }, deployer: createWorkerDeployer(harness, root), close };
  }

  it('statements lead to the same schema and rows by every way', async () => {
    const counts = new Map<string, number>();
    const faults: { sequence: TakenSequence; verdict: Verdict }[] = [];
    let next = SEED;
    let refusedPlain = 0;
    const startedMs = performance.now();
    const work = async (): Promise<void> => {
      const { plain, deployer, close } = await openLane();
      while (next < SEED + RUNS) {
        const first = next;
        next += BATCH;
        const sequences: TakenSequence[] = [];
        for (let seed = first; seed < Math.min(first + BATCH, SEED + RUNS); seed += 1) {
          const prefix = `q${seed - first}_`;
          const taken = await takeSequence(plain, seed, prefix);
          refusedPlain += taken.refused;
          sequences.push(taken.sequence);
        }
        for (const { sequence, verdicts } of await trySequences(deployer, plain, sequences, modes)) {
          for (const verdict of verdicts) {
            const key = `${verdict.mode}: ${verdict.kind}${verdict.kind === 'same' ? '' : ` ${verdict.code}`}`;
            counts.set(key, (counts.get(key) ?? 0) + 1);
            if (verdict.kind !== 'same') faults.push({ sequence, verdict });
          }
        }
        for (const { prefix } of sequences) await dropTables(plain, prefix);
      }
      await close();
    };
    await Promise.all(Array.from({ length: LANES }, work));
    const seconds = (performance.now() - startedMs) / 1_000;
    const summary = { engine: mysql.engine, seconds, refusedPlain, counts: Object.fromEntries([...counts].sort()) };
    console.log(JSON.stringify(summary, null, 1));
    if (LOG !== undefined) appendFileSync(LOG, `${JSON.stringify(summary)}\n`);
    const seen = new Map<string, number>();
    for (const { sequence, verdict } of faults) {
      const key = `${verdict.mode} ${verdict.code}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if ((seen.get(key) ?? 0) > SHRINK) {
        if (LOG !== undefined) appendFileSync(LOG, `${mysql.engine} seed ${sequence.seed} ${verdict.mode} ${verdict.kind} ${verdict.details.slice(0, 3).join(' | ')}\n`);
        continue;
      }
      const text = await shrink(sequence, verdict);
      if (LOG !== undefined) appendFileSync(LOG, `${text}\n\n`);
      else console.log(text);
    }
    expect(faults.filter(({ verdict }) => verdict.kind === 'wrong').length).toBe(0);
  }, 60_000 + RUNS * 60_000);

  async function shrink(sequence: TakenSequence, verdict: Verdict): Promise<string> {
    const { plain, deployer, close } = await openLane();
    const mode: Mode = verdict.mode;
    let last = verdict;
    const smallest = await shrinkSequence(sequence, async (candidate) => {
      const trial = await trySequences(deployer, plain, [candidate], [mode]).catch(() => []);
      const found = trial[0]?.verdicts.find((one) => one.mode === mode && one.kind === verdict.kind && one.code === verdict.code);
      if (found === undefined) return null;
      last = found;
      return trial[0]?.sequence ?? null;
    });
    await close();
    return `### ${mysql.engine}, ${mode}, ${verdict.kind}, ${verdict.code}\n${showSequence(smallest)}\n=> ${last.details.slice(0, 8).join('\n=> ').replaceAll(sequence.prefix, '')}`;
  }
});
