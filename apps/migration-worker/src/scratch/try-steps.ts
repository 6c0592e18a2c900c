import {
  listCreateStatements,
  type ExclusiveDetails,
  type PlannedStep,
  type TestedAlgorithm,
} from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { EngineCapabilities, Snapshot } from '@rowhouse/schema-model';
import {
  CHECKS_OFF_SQL,
  CHECKS_ON_SQL,
  alterWithFirstAccepted,
  isAlter,
  isConstraintAdd,
} from '../online-ddl/steps/algorithm-fallback.js';
import { cleanMessage } from './apply-schema-text.js';
import type { ScratchDatabase } from './scratch-database.js';
import type { TestedStep } from './plan-cache.js';

const RANK: readonly TestedAlgorithm[] = ['none', 'instant', 'nocopy', 'inplace', 'copy'];

/** Creates the objects of a schema in an empty scratch database. */
export async function loadSnapshot(scratch: ScratchDatabase, snapshot: Snapshot): Promise<void> {
  await withKeyChecksOff(scratch.connection, async () => {
    for (const statement of listCreateStatements(snapshot)) await scratch.connection.run(statement);
  });
}

/**
 * Creates the objects of the deployed schema. If the tables of a view were dropped, the view is broken and an
 * empty view replaces it, so that the plan can drop or replace the view.
 */
export async function loadDeployed(scratch: ScratchDatabase, deployed: Snapshot): Promise<void> {
  await withKeyChecksOff(scratch.connection, () => createDeployed(scratch, deployed));
}

async function createDeployed(scratch: ScratchDatabase, deployed: Snapshot): Promise<void> {
  const views = new Map(
    deployed.tables.filter((table) => table.kind === 'view').map((view) => [view.createSql, view.name]),
  );
  for (const statement of listCreateStatements(deployed)) {
    const view = views.get(statement);
    if (view === undefined) await scratch.connection.run(statement);
    else
      await scratch.connection.run(statement).catch(async (error: unknown) => {
        const fault = readServerFault(error);
        if (fault === null || fault.isConnectionLost) throw error;
        await scratch.connection.run(`CREATE VIEW ${quoteName(view)} AS SELECT NULL AS broken`);
      });
  }
}

/**
 * Runs `callback` while foreign keys may reference missing tables. An owner can create such a key over a
 * direct connection, and a plan must be able to remove it.
 */
async function withKeyChecksOff(connection: AdminConnection, callback: () => Promise<void>): Promise<void> {
  await connection.run('SET SESSION foreign_key_checks = 0');
  try {
    await callback();
  } finally {
    if (!connection.isLost()) await connection.run('SET SESSION foreign_key_checks = 1');
  }
}

/**
 * Runs all steps on an empty copy of the deployed schema, in the order of the real run. Records the algorithm
 * that the server accepted for each step. Throws `schema.invalid_sql` with the server's message when the
 * server accepts no algorithm.
 */
export async function trySteps(
  scratch: ScratchDatabase,
  server: WorkerServer,
  steps: readonly PlannedStep[],
): Promise<TestedStep[]> {
  const { capabilities } = server;
  if (capabilities === null)
    throw new AppError('db.provisioning', { internal: `server ${server.id} was never probed` });
  const mostExpensive = new Map<PlannedStep, TestedStep>();
  for (const part of ['beforePublish', 'afterPublish'] as const) {
    for (const step of steps) {
      const sql = step[part];
      if (sql === null) continue;
      const algorithm = await tryOne(scratch, step, sql, capabilities);
      const known = mostExpensive.get(step);
      if (known === undefined || RANK.indexOf(algorithm) > RANK.indexOf(known.algorithm))
        mostExpensive.set(step, { step, algorithm, side: part });
    }
  }
  return steps.map((step) => mostExpensive.get(step) ?? { step, algorithm: 'none', side: 'beforePublish' });
}

async function tryOne(
  scratch: ScratchDatabase,
  step: PlannedStep,
  sql: string,
  capabilities: EngineCapabilities,
): Promise<TestedAlgorithm> {
  try {
    if (step.intent.kind === 'family') {
      for (const statement of step.intent.details.script) await scratch.connection.run(statement);
      return 'copy';
    }
    if (step.intent.kind === 'exclusive')
      return await tryExclusive(scratch, step.intent.details, capabilities);
    if (step.intent.kind === 'replace') {
      for (const statement of [step.intent.details.drop, step.intent.details.create])
        await scratch.connection.run(statement);
      return 'none';
    }
    if (isAlter(sql)) return await tryAlter(scratch.connection, sql, capabilities);
    await withChecksOff(scratch.connection, capabilities, /^DROP TABLE /.test(sql), () =>
      scratch.connection.run(sql),
    );
    return 'none';
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    throw new AppError('schema.invalid_sql', {
      detail:
        `The server rejected this change of ${step.table}: ` +
        `${cleanMessage(fault.message, scratch.schemaName)}`,
      extra: { statement: sql, errno: fault.errno },
    });
  }
}

/** Returns the algorithm of the most expensive ALTER of the step. */
async function tryExclusive(
  { connection }: ScratchDatabase,
  { script }: ExclusiveDetails,
  capabilities: EngineCapabilities,
): Promise<TestedAlgorithm> {
  const algorithms: TestedAlgorithm[] = ['none'];
  for (const sql of script) {
    if (isAlter(sql)) algorithms.push(await tryAlter(connection, sql, capabilities));
    else await withChecksOff(connection, capabilities, /^DROP TABLE /.test(sql), () => connection.run(sql));
  }
  return algorithms.sort((a, b) => RANK.indexOf(b) - RANK.indexOf(a))[0] ?? 'none';
}

async function tryAlter(
  connection: AdminConnection,
  sql: string,
  capabilities: EngineCapabilities,
): Promise<TestedAlgorithm> {
  const isConstraint = isConstraintAdd(sql);
  const { strategy } = await withChecksOff(connection, capabilities, isConstraint, () =>
    alterWithFirstAccepted(connection, sql, capabilities),
  );
  return strategy === 'copy_small' ? 'copy' : strategy;
}

export async function withChecksOff<T>(
  connection: AdminConnection,
  capabilities: EngineCapabilities,
  isNeeded: boolean,
  callback: () => Promise<T>,
): Promise<T> {
  if (!isNeeded) return callback();
  await connection.run(CHECKS_OFF_SQL[capabilities.engine]);
  try {
    return await callback();
  } finally {
    if (!connection.isLost()) await connection.run(CHECKS_ON_SQL[capabilities.engine]);
  }
}
