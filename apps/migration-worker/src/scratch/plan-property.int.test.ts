import { changedColumnText, diffSnapshots, structureText, type PlannedStep } from '@rowhouse/ddl-plan';
import {
  introspectSchema,
  openAdminConnection,
  probeCapabilities,
  readServerFault,
  type AdminConnection,
} from '@rowhouse/mysql';
import type { EngineCapabilities, Snapshot } from '@rowhouse/schema-model';
import { createTestDatabase, getTestServers, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterWithFirstAccepted, isAlter } from '../online-ddl/steps/algorithm-fallback.js';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { changeModel, makeModel, makeRows, Random, renderModel } from '../testing/random-schema.js';

/**
 * The number of runs. Set PLAN_PROPERTY_RUNS=500 for more runs, or PLAN_PROPERTY_SEED=17 for a single run.
 */
const RUNS = Number(process.env['PLAN_PROPERTY_RUNS'] ?? 30);
const SEED = process.env['PLAN_PROPERTY_SEED'];

interface Rig {
  readonly connection: AdminConnection;
  readonly name: string;
  readonly drop: () => Promise<void>;
}

async function openRig(mysql: TestMysql, prefix: string): Promise<Rig> {
  const database = await createTestDatabase(mysql, prefix);
  const connection = await openAdminConnection({
    host: mysql.host,
    port: mysql.port,
    user: mysql.user,
    password: mysql.password,
    database: database.name,
  });
  return {
    connection,
    name: database.name,
    drop: async () => {
      await connection.close();
      await database.drop();
    },
  };
}

async function reset(rig: Rig): Promise<void> {
  await rig.connection.run(`DROP DATABASE \`${rig.name}\``);
  await rig.connection.run(
    `CREATE DATABASE \`${rig.name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
  );
  await rig.connection.run(`USE \`${rig.name}\``);
}

function listDifferences(reached: string, target: string): string[] {
  const split = (text: string): string[] => text.split(/(?<="),/);
  const [got, expected] = [split(reached), split(target)];
  return [
    ...got.filter((part) => !expected.includes(part)).map((part) => `  reached: ${part}`),
    ...expected.filter((part) => !got.includes(part)).map((part) => `  wanted:  ${part}`),
    ...(reached === target || got.some((part) => !expected.includes(part))
      ? []
      : ['  only the order differs']),
  ];
}

describe.each(getTestServers().engines)('plans between random schemas, on $engine', (mysql) => {
  let from: Rig;
  let to: Rig;
  let capabilities: EngineCapabilities;
  beforeAll(async () => {
    from = await openRig(mysql, 'pf');
    to = await openRig(mysql, 'pt');
    capabilities = await probeCapabilities(from.connection);
  });
  afterAll(async () => {
    await from.drop();
    await to.drop();
  });

  const look = async (rig: Rig): Promise<Snapshot> =>
    toSnapshot({
      engine: mysql.engine,
      tables: await introspectSchema(rig.connection, rig.name, mysql.engine),
    });

  /**
   * Creates the schema and reads it.
   * Returns null when this server does not accept it, which is not a failure.
   */
  async function build(rig: Rig, statements: readonly string[]): Promise<Snapshot | null> {
    await reset(rig);
    for (const statement of statements) {
      try {
        await rig.connection.run(statement);
      } catch (error) {
        if (readServerFault(error) === null) throw error;
        return null;
      }
    }
    return look(rig);
  }

  async function findsRows(step: PlannedStep): Promise<boolean> {
    for (const check of step.rowChecks) if ((await from.connection.rows(check.sql)).length > 0) return true;
    return false;
  }

  async function send(step: PlannedStep, sql: string): Promise<void> {
    const script = step.intent.kind === 'family' ? step.intent.details.script : [sql];
    for (const statement of script) {
      try {
        if (isAlter(statement)) await alterWithFirstAccepted(from.connection, statement, capabilities);
        else await from.connection.run(statement);
      } catch (error) {
        throw new Error(`${statement}\n  -> ${String((error as Error).message)}`, { cause: error });
      }
    }
  }

  /**
   * Runs the steps. Returns false when rows prevent the change and the row checks reported these rows
   * beforehand.
   */
  async function apply(steps: readonly PlannedStep[]): Promise<boolean> {
    for (const part of ['beforePublish', 'afterPublish'] as const) {
      for (const step of steps) {
        const sql = step[part];
        if (sql === null) continue;
        if (await findsRows(step)) return false;
        await send(step, sql);
      }
    }
    return true;
  }

  async function tryPair(seed: number): Promise<'done' | 'not taken' | 'rows'> {
    const random = new Random(seed);
    const model = makeModel(random);
    const next = random.chance(80) ? changeModel(random, model) : makeModel(random);
    const before = await build(from, renderModel(model));
    if (before === null) return 'not taken';
    const target = await build(to, renderModel(next));
    if (target === null) return 'not taken';
    if (random.chance(60))
      for (const statement of makeRows(random, model))
        await from.connection.run(statement).catch(() => undefined);
    const { steps } = diffSnapshots(before, target);
    if (!(await apply(steps))) return 'rows';
    const reached = await look(from);
    const differences = listDifferences(structureText(reached), structureText(target));
    if (differences.length > 0)
      throw new Error(`${steps.map((step) => step.sql).join(';\n')}\n${differences.join('\n')}`);
    expect(diffSnapshots(reached, target).steps).toEqual([]);
    return 'done';
  }

  it(
    'a random plan does not change columns that are equal in both schemas',
    async () => {
      for (let seed = 1; seed <= Math.min(RUNS, 60); seed += 1) {
        const before = await build(from, renderModel(makeModel(new Random(seed))));
        if (before === null) continue;
        for (const table of before.tables) {
          const specs = table.columns.map(
            (column) => `MODIFY COLUMN \`${column.name}\` ${changedColumnText(column, {}, null)}`,
          );
          await from.connection.run(`ALTER TABLE \`${table.name}\` ${specs.join(', ')}`);
        }
        expect(
          listDifferences(structureText(await look(from)), structureText(before)),
          `seed ${seed}`,
        ).toEqual([]);
      }
    },
    60_000 + RUNS * 2_000,
  );

  it(
    'a random plan reaches its target schema or names the rows that prevent it',
    async () => {
      const seen = { done: 0, 'not taken': 0, rows: 0 };
      const faults: string[] = [];
      const seeds =
        SEED === undefined ? Array.from({ length: RUNS }, (_, index) => index + 1) : [Number(SEED)];
      for (const seed of seeds) {
        try {
          seen[await tryPair(seed)] += 1;
        } catch (error) {
          faults.push(`seed ${seed}: ${(error as Error).message}`);
        }
      }
      expect(faults.join('\n\n'), JSON.stringify(seen)).toBe('');
      expect(SEED !== undefined || seen.done > RUNS / 3, JSON.stringify(seen)).toBe(true);
    },
    60_000 + RUNS * 2_000,
  );
});
