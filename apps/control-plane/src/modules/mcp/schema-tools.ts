import type {
  DeployResponse,
  DeployedSchemaResponse,
  DiffResponse,
  MigrationResponse,
  MigrationPlan,
  ProposalResponse,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { z } from 'zod';
import type { ControlApi } from './control-api-caller.js';
import { defineTool, environment, projectId, type ControlTool } from './control-tool.js';
import { findDatabase, getProject, projectPath } from './find-database.js';

import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES } from '@rowhouse/contracts';

const CHECK_INTERVAL_MS = 200;

/**
 * How long a tool waits for a migration, in milliseconds. A longer migration continues, and the tool returns
 * its state and can be called again.
 */
const WAIT_MS_MAX = 25_000;
const submitRequest = defineTool({
  name: 'submit_data_modeling_request',
  title: 'Change the working schema',
  description:
    'The first step of a schema change. With `request`, a description such as "a table projects ' +
    'with a name and a budget", it proposes SQL and changes nothing. With `sql` (CREATE, ALTER, ' +
    'DROP …), it changes the working schema and returns the plan. Only deploy_project changes ' +
    'databases.',
  input: z.strictObject({
    project_id: projectId,
    request: z.string().min(1).max(4_000).optional(),
    sql: z.string().min(1).max(1_048_576).optional(),
  }),
  effect: 'adds',
  async run(api, { project_id: id, request, sql }) {
    if ((request === undefined) === (sql === undefined))
      throw new AppError('request.invalid', {
        detail: 'Send either `request` or `sql`.',
        hint: '`request` proposes SQL. `sql` changes the working schema.',
      });
    if (sql === undefined) {
      const proposal = (await api.call('POST', `${projectPath(id)}/schema/requests`, {
        request,
      })) as ProposalResponse;
      return {
        proposal,
        next: 'Nothing has changed yet. Call this tool again with the proposed SQL, or your own, in `sql`.',
      };
    }
    const changed = (await api.call('PUT', `${projectPath(id)}/schema`, {
      sql,
      mode: 'apply',
    })) as WorkingSchemaResponse;
    // At this point, the change is already made. In a project without a development database, the tool
    // returns the plans of its other databases.
    const development = (await getProject(api, id)).databases.find(
      (database) => database.environment === 'development',
    );
    return {
      revision: changed.revision,
      notes: changed.notes,
      plans: await readPlans(api, id, development?.id ?? null),
      next: 'To apply it to a database, call deploy_project.',
    };
  },
});

const getProjectSchema = defineTool({
  name: 'get_project_schema',
  title: 'Get the working schema',
  description: 'Returns the working schema of a project as SQL. The next deploy applies it.',
  input: z.strictObject({ project_id: projectId }),
  effect: 'reads',
  async run(api, args) {
    const {
      revision,
      sql,
      updated_at: updatedAt,
    } = (await api.call('GET', `${projectPath(args.project_id)}/schema`)) as WorkingSchemaResponse;
    return { revision, sql, updated_at: updatedAt };
  },
});

const getDeployedSchema = defineTool({
  name: 'get_deployed_schema',
  title: 'Get a deployed schema',
  description: 'Returns the current schema of a database as SQL.',
  input: z.strictObject({ project_id: projectId, environment }),
  effect: 'reads',
  async run(api, args) {
    const database = await findDatabase(api, args.project_id, args.environment);
    const { snapshot_number: snapshotNumber, sql } = (await api.call(
      'GET',
      `/api/databases/${encodeURIComponent(database.id)}/schema`,
    )) as DeployedSchemaResponse;
    return { environment: database.environment, snapshot_number: snapshotNumber, sql };
  },
});

const deployProject = defineTool({
  name: 'deploy_project',
  title: 'Deploy the working schema',
  description:
    'Changes one database to the working schema and waits until it is done. With preview: true, ' +
    'it only returns the plan. Applications keep running. Changes that lose data are rejected ' +
    'unless accept_loss is true. Ask the user first.',
  input: z.strictObject({
    project_id: projectId,
    environment,
    preview: z.boolean().optional().describe('Return only the plan'),
    accept_loss: z.boolean().optional(),
    confirm: z
      .array(z.string().max(64))
      .max(50)
      .optional()
      .describe('Plan hashes from an error that asked for confirmation'),
    migration_id: z
      .string()
      .max(40)
      .optional()
      .describe('Check a deploy that was still running, instead of starting one'),
  }),
  effect: 'changes',
  async run(api, args) {
    if (args.migration_id !== undefined)
      return { migrations: [reportMigration(await waitForMigration(api, args.migration_id))] };
    const database = await findDatabase(api, args.project_id, args.environment);
    if (args.preview === true) return { plans: await readPlans(api, args.project_id, database.id) };
    const { accept_loss: acceptLoss, confirm } = args;
    const started = (await api.call('POST', `${projectPath(args.project_id)}/deploy`, {
      targets: [{ database: database.id }],
      ...(acceptLoss === undefined ? {} : { accept_loss: acceptLoss }),
      ...(confirm === undefined ? {} : { confirm }),
    })) as DeployResponse;
    const migrations = await Promise.all(
      started.migrations.map((migration) => waitForMigration(api, migration.id)),
    );
    return { revision: started.revision, notes: started.notes, migrations: migrations.map(reportMigration) };
  },
});

export const SCHEMA_TOOLS: readonly ControlTool[] = [
  submitRequest,
  getProjectSchema,
  getDeployedSchema,
  deployProject,
];

/** Reads the plans of one database. A null `databaseId` means all databases. */
async function readPlans(api: ControlApi, id: string, databaseId: string | null): Promise<readonly object[]> {
  const { plans } = (await api.call(
    'GET',
    `${projectPath(id)}/diff${databaseId === null ? '' : `?database=${encodeURIComponent(databaseId)}`}`,
  )) as DiffResponse;
  return plans.map(reportPlan);
}

function reportPlan({
  environment: name,
  steps,
  loss,
  impact,
  needsRebuild,
  possibleRenames,
  notes,
  drift,
  hash,
}: MigrationPlan): object {
  return {
    environment: name,
    hash,
    steps,
    loss,
    impact,
    needs_rebuild: needsRebuild,
    possible_renames: possibleRenames,
    notes,
    drift,
  };
}

function reportMigration(migration: MigrationResponse): object {
  return {
    id: migration.id,
    environment: migration.environment,
    state: migration.state,
    progress: migration.progress,
    published_snapshot: migration.published_snapshot,
    error: migration.error,
    steps: migration.plan.steps,
  };
}

/** Returns the migration once it has ended. After `WAIT_MS_MAX`, returns its current state. */
async function waitForMigration(api: ControlApi, id: string): Promise<MigrationResponse> {
  const endMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const migration = (await api.call(
      'GET',
      `/api/migrations/${encodeURIComponent(id)}`,
    )) as MigrationResponse;
    if (MIGRATION_END_STATES.includes(migration.state) || performance.now() > endMs) return migration;
    await pause(CHECK_INTERVAL_MS);
  }
}
