import type { AdminConnection, AdminSession } from '@rowhouse/mysql';
import type { TestDb, WorkerHarness } from '../worker-harness.js';
import { UNOBSERVED, type PlainServer, type SequenceObserver, type TakenSequence } from './plain-sequence.js';

/** The ways in which a sequence of statements can be deployed to a database. */
export const MODES = ['one deploy', 'several deploys', 'promote'] as const;
export type Mode = (typeof MODES)[number];

/** The reason why a deploy was not published. `isBegun` means that its migration had already started. */
export interface Stop {
  readonly code: string;
  readonly detail: string;
  readonly isBegun: boolean;
}

/** A database that receives deploys. */
export type Target = TestDb;

export interface Deployer {
  /** Opens a session with the contents of the database. */
  open(database: Target): Promise<AdminSession>;
  /**
   * Called before the next sequence. Returns an observer of that sequence's statements on the plain server.
   */
  begin(plain: PlainServer): SequenceObserver;
  /** Creates an empty database, in the project of `sibling` if given. */
  provision(environment: 'development' | 'production', sibling?: Target): Promise<Target>;
  /** Deploys to the databases. Returns null when all of them have the new schema. */
  deploy(databases: readonly Target[], sql: string): Promise<Stop | null>;
  /** Drops the contents of all databases, because thousands of schemas would slow the server down. */
  release(): Promise<void>;
}

/** The result of deploying in one mode: the database, and the reason why a deploy stopped. */
export interface Reached {
  readonly mode: Mode;
  readonly database: Target;
  readonly stop: Stop | null;
}

/** Deploys through a worker as in production: tasks, the journal, publishing. */
export function createWorkerDeployer(harness: WorkerHarness, root: AdminConnection): Deployer {
  const provisioned: Target[] = [];
  return {
    open: (database) => useDatabase(root, database),
    begin: () => UNOBSERVED,
    async provision(environment, sibling) {
      const target = await harness.provision(environment, sibling?.projectId);
      provisioned.push(target);
      return target;
    },
    async release() {
      for (const { schemaName } of provisioned.splice(0)) {
        for (const name of [schemaName, `${schemaName}s`])
          await root.run(`DROP DATABASE IF EXISTS \`${name}\``);
      }
    },
    async deploy(databases, sql) {
      const [first] = databases;
      if (first === undefined) return null;
      try {
        const { ids } = await harness.queueDeploy(
          first.projectId,
          databases.map(({ id }) => id),
          sql,
        );
        for (const id of ids) {
          const row = await harness.waitMigration(id, 300_000);
          if (row.state !== 'published')
            return { code: row.error?.code ?? row.state, detail: row.error?.detail ?? '', isBegun: true };
        }
        return null;
      } catch (error) {
        const {
          code = 'internal.defect',
          detail,
          message,
        } = error as { code?: string; detail?: string; message: string };
        return { code, detail: detail ?? message, isBegun: false };
      }
    },
  };
}

export async function useDatabase(root: AdminConnection, { schemaName }: Target): Promise<AdminSession> {
  await root.run(`USE \`${schemaName}\``);
  return root;
}

const join = (statements: readonly string[]): string => statements.map((sql) => `${sql};`).join('\n');

/** Deploys all statements together. */
export async function deployAtOnce(
  deployer: Deployer,
  sequences: readonly TakenSequence[],
): Promise<Reached[]> {
  const database = await deployer.provision('development');
  await deployBase(deployer, [database], sequences);
  const statements = sequences.flatMap(({ parts }) => parts.flatMap((part) => [...part.statements]));
  return [{ mode: 'one deploy', database, stop: await deployer.deploy([database], join(statements)) }];
}

/**
 * Deploys each part to development, with rows inserted in between, and then deploys everything to production.
 */
export async function deployInParts(
  deployer: Deployer,
  sequences: readonly TakenSequence[],
): Promise<Reached[]> {
  const development = await deployer.provision('development');
  const production = await deployer.provision('production', development);
  await deployBase(deployer, [development, production], sequences);
  const count = Math.max(...sequences.map(({ parts }) => parts.length));
  for (let index = 0; index < count; index += 1) {
    const statements = sequences.flatMap(({ parts }) => [...(parts[index]?.statements ?? [])]);
    const stop =
      (statements.length === 0 ? null : await deployer.deploy([development], join(statements))) ??
      (await insertRows(
        deployer,
        development,
        sequences.flatMap(({ parts }) => [...(parts[index]?.rows ?? [])]),
      ));
    if (stop !== null) return [{ mode: 'several deploys', database: development, stop }];
  }
  const stop = await deployer.deploy([production], '');
  return [
    { mode: 'several deploys', database: development, stop: null },
    { mode: 'promote', database: production, stop },
  ];
}

async function deployBase(
  deployer: Deployer,
  databases: readonly Target[],
  sequences: readonly TakenSequence[],
): Promise<void> {
  const stop = await deployer.deploy(databases, join(sequences.flatMap(({ base }) => [...base])));
  if (stop !== null) throw new Error(`the first tables were not made: ${JSON.stringify(stop)}`);
  for (const database of databases) {
    const fault = await insertRows(
      deployer,
      database,
      sequences.flatMap(({ baseRows }) => [...baseRows]),
    );
    if (fault !== null) throw new Error(`the first rows were not taken: ${JSON.stringify(fault)}`);
  }
}

async function insertRows(
  deployer: Deployer,
  database: Target,
  rows: readonly string[],
): Promise<Stop | null> {
  const session = await deployer.open(database);
  for (const sql of rows) {
    try {
      await session.run(sql);
    } catch (error) {
      return { code: 'model.rows', detail: `${sql}: ${(error as Error).message}`, isBegun: true };
    }
  }
  return null;
}
