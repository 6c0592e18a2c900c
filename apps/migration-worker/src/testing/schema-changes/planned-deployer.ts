import { diffSnapshots, findInRenames, type PlannedStep } from '@rowhouse/ddl-plan';
import { toAppError } from '@rowhouse/errors';
import { probeCapabilities, quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { RevisionText, WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot } from '@rowhouse/schema-model';
import type { TestMysql } from '@rowhouse/testkit';
import { checkRows } from '../../online-ddl/steps/check-rows.js';
import { applySchemaText } from '../../scratch/apply-schema-text.js';
import { trySteps } from '../../scratch/try-steps.js';
import { listDiffering, toSnapshot } from '../../snapshots/fingerprints.js';
import { readSchema } from '../../snapshots/inspect-schema.js';
import { emptySnapshot } from '../../snapshots/read-deployed.js';
import { assertKeysIndexed } from '../../tasks/plan-schema.js';
import { collectHints } from '../../tasks/collect-hints.js';
import type { WorkerContext } from '../../worker-context.js';
import type { Deployer, Target } from './deploy-sequences.js';
import { dropTables, type PlainServer, type SequenceObserver } from './plain-sequence.js';
import { RememberedSession, SequenceMemory } from './remembered-session.js';

interface Deployed {
  readonly target: Target;
  snapshot: Snapshot;
  revision: number;
}

interface Project {
  readonly revisions: (RevisionText & { readonly snapshot: Snapshot })[];
  readonly databases: Map<string, Deployed>;
}

/** A session for the draft and one for each environment. Their tables are dropped after each mode. */
export interface DeploySessions {
  readonly mysql: TestMysql;
  readonly connections: Readonly<Record<string, AdminConnection>>;
  readonly schemaOf: (name: string) => string;
}

/**
 * Plans changes with the worker's code, and runs the steps of each plan as the worker tests them, but on
 * tables with rows. The journal, publishing and the strategies for large tables are left out, so a sequence
 * takes a fraction of the time. If one database of the sequence has run the same statements from the start,
 * another database does not run them again.
 */
export async function createPlannedDeployer(
  sessions: DeploySessions,
  root: AdminConnection,
): Promise<Deployer> {
  const { mysql, schemaOf } = sessions;
  const memory = new SequenceMemory();
  const drafts = new SequenceMemory();
  const remembered = Object.fromEntries(
    Object.entries(sessions.connections).map(([name, connection]) => [
      name,
      new RememberedSession(name === 'draft' ? drafts : memory, connection, schemaOf(name)),
    ]),
  );
  const sessionOf = (name: string): AdminConnection => (remembered[name] as RememberedSession).session;
  const capabilities = await probeCapabilities(root);
  const server = {
    id: 'srv_test',
    engine: mysql.engine,
    engineVersion: mysql.version,
    capabilities,
  } as WorkerServer;
  let project: Project = { revisions: [], databases: new Map() };
  const directory = {
    readDeployedRevision: async (id: string) => Promise.resolve(project.databases.get(id)?.revision ?? 0),
    listRevisions: async (_: string, after: number, through: number) =>
      Promise.resolve(project.revisions.filter(({ revision }) => revision > after && revision <= through)),
    listBrokenRuns: async () => Promise.resolve([]),
    readWorkingSnapshot: async (_: string, revision: number) => {
      const found = project.revisions.find((row) => row.revision === revision);
      return Promise.resolve(found === undefined ? null : JSON.stringify(found.snapshot));
    },
  };
  const ctx = { directory } as unknown as WorkerContext;
  const check = async (session: AdminConnection, name: string, before: Snapshot | null): Promise<Snapshot> =>
    toSnapshot(await readSchema(session, schemaOf(name), mysql.engine), before);

  async function plan(
    deployed: Deployed,
    draft: Snapshot,
    sql: string,
  ): Promise<{ target: Snapshot; steps: readonly PlannedStep[] }> {
    const base = project.revisions.at(-1)?.snapshot ?? null;
    const payload = { project_id: 'prj_test', base, mode: 'apply', sql, target_database_ids: [] } as const;
    const target = toSnapshot(draft, deployed.snapshot);
    const lineage = (await collectHints(ctx, deployed.target.id, server, payload)).lineageOf(target);
    const uses = findInRenames(deployed.snapshot, target, lineage);
    if (uses.length > 0)
      throw Object.assign(new Error(JSON.stringify(uses)), { code: 'schema.broken_object' });
    return { target, steps: diffSnapshots(deployed.snapshot, target, lineage).steps };
  }

  async function run(
    session: AdminConnection,
    schemaName: string,
    steps: readonly PlannedStep[],
  ): Promise<void> {
    for (const part of ['beforePublish', 'afterPublish'] as const) {
      for (const step of steps) {
        if (step[part] === null) continue;
        await checkRows(session, [step]);
        await trySteps({ schemaName, connection: session, plain: session }, server, [
          { ...step, beforePublish: null, afterPublish: null, [part]: step[part] },
        ]);
      }
    }
  }

  async function deployOne(
    deployed: Deployed,
    draft: Snapshot,
    sql: string,
    note: (hasStarted: boolean) => void,
  ): Promise<void> {
    const name = deployed.target.id;
    const session = sessionOf(name);
    const { target, steps } = await plan(deployed, draft, sql);
    note(true);
    await run(session, schemaOf(name), steps);
    deployed.snapshot = await check(session, name, deployed.snapshot);
    deployed.revision = project.revisions.length + 1;
    const differing = listDiffering(deployed.snapshot, target);
    if (differing.length > 0)
      throw Object.assign(
        new Error(`${differing.join(', ')} after ${steps.map((step) => step.sql).join('; ')}`),
        { code: 'schema.drift' },
      );
  }

  return {
    open: ({ id }) => Promise.resolve(sessionOf(id)),
    begin(plain) {
      memory.clear();
      drafts.clear();
      return followDraft(drafts, plain);
    },
    provision(environment, sibling) {
      if (sibling === undefined) project = { revisions: [], databases: new Map() };
      const target: Target = {
        id: environment,
        projectId: 'prj_test',
        schemaName: schemaOf(environment),
      };
      project.databases.set(environment, { target, snapshot: emptySnapshot(mysql.engine), revision: 0 });
      return Promise.resolve(target);
    },
    async deploy(targets, sql) {
      let hasStarted = false;
      try {
        await applySchemaText(
          { schemaName: schemaOf('draft'), connection: sessionOf('draft'), plain: sessionOf('draft') },
          server,
          sql,
        );
        const base = project.revisions.at(-1)?.snapshot ?? null;
        const draft = await check(sessionOf('draft'), 'draft', base);
        assertKeysIndexed(base, draft);
        for (const { id } of targets) {
          await deployOne(project.databases.get(id) as Deployed, draft, sql, (started) => {
            hasStarted = started;
          });
        }
        const head = {
          revision: project.revisions.length + 1,
          statements: sql,
          restores: null,
          mode: 'apply',
          renames: [],
        } as const;
        project.revisions.push({ ...head, snapshot: draft });
        return null;
      } catch (error) {
        const { code } = error as { code?: unknown };
        const { detail: message, extra } = error as { detail?: string; extra?: { statement?: string } };
        const detail = `${message ?? (error as Error).message}${extra?.statement === undefined ? '' : ` [${extra.statement}]`}`;
        return {
          code: typeof code === 'string' ? code : toAppError(error).code,
          detail,
          isBegun: hasStarted,
        };
      }
    },
    async release() {
      for (const [name, session] of Object.entries(remembered)) {
        const connection = sessions.connections[name] as AdminConnection;
        await session.reset(() =>
          dropTables({ connection, schemaName: schemaOf(name), engine: mysql.engine }, ''),
        );
      }
    },
  };
}

/**
 * Reads the schema after each part from the plain server. The draft would result from the same statements, so
 * they do not have to run again. The rows of the plain server do not change its schema.
 */
function followDraft(
  drafts: SequenceMemory,
  { connection, schemaName, engine }: PlainServer,
): SequenceObserver {
  const followed = new RememberedSession(drafts, connection, schemaName);
  return {
    ran: (sql) => followed.add(sql),
    endPart: async () => {
      await readSchema(followed.session, schemaName, engine);
    },
  };
}

const LANE_NAMES = ['draft', 'development', 'production'] as const;

export async function openSessions(
  mysql: TestMysql,
  number: number,
  open: (schemaName: string) => Promise<AdminConnection>,
  root: AdminConnection,
): Promise<DeploySessions & { close(): Promise<void> }> {
  const schemaOf = (name: string): string => `sc${number}${name}`;
  const connections: Record<string, AdminConnection> = {};
  for (const name of LANE_NAMES) {
    await root.run(
      `CREATE DATABASE ${quoteName(schemaOf(name))} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
    );
    connections[name] = await open(schemaOf(name));
  }
  return {
    mysql,
    connections,
    schemaOf,
    async close() {
      for (const session of Object.values(connections)) await session.close();
      for (const name of LANE_NAMES) await root.run(`DROP DATABASE ${quoteName(schemaOf(name))}`);
    },
  };
}
