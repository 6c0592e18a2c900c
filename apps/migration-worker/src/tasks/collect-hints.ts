import { setImmediate as nextSlice } from 'node:timers/promises';
import type { TaskPayload } from '@rowhouse/contracts';
import {
  DroppedObjects,
  IdentitySource,
  lineageBetween,
  nameStateOf,
  type Lineage,
  type SchemaNames,
} from '@rowhouse/ddl-plan';
import type { AppError } from '@rowhouse/errors';
import type { RevisionText, WorkerServer } from '@rowhouse/platform-store';
import { findCountersSteps, type CounterSetting } from '@rowhouse/query-engine';
import { runStepsInSlices, type Snapshot } from '@rowhouse/schema-model';
import type { WorkerContext } from '../worker-context.js';
import { followBrokenRuns } from './follow-broken-runs.js';
import { followRevisions, followText, type Followed } from './follow-revisions.js';

const REVISION_MAX = 4_294_967_295;

/**
 * The origins of a draft's objects. They are traced through all texts since the deployed revision and one
 * more text.
 */
export interface DraftOrigins {
  /** @throws AppError `schema.rename_not_possible` when the names of a text in between cannot be traced */
  readonly lineageOf: (draft: SchemaNames) => Lineage;
  /**
   * The values that the texts set for AUTO_INCREMENT, in order. Empty for a revert to an earlier revision.
   */
  readonly counters: readonly CounterSetting[];
}

/** Traces the names of tables and columns from the deployed revision through each later text to this one. */
export async function collectHints(
  ctx: Pick<WorkerContext, 'directory'>,
  databaseId: string,
  server: WorkerServer,
  payload: TaskPayload<'plan_schema'>,
): Promise<DraftOrigins> {
  const deployed = await ctx.directory.readDeployedRevision(databaseId);
  const { revision = REVISION_MAX, project_id: projectId } = payload;
  const rows = await readRevisions(
    ctx,
    projectId,
    Math.min(deployed, revision),
    Math.max(deployed, revision),
  );
  const lowest = Math.min(deployed, revision, ...rows.flatMap((row) => [row.restores ?? row.revision - 1]));
  const newest = Math.max(lowest, ...rows.map((row) => row.revision));
  const requestedCount = Math.min(revision, newest);
  const known = new Map<number, Snapshot>(payload.base === null ? [] : [[requestedCount, payload.base]]);
  const read = async (number: number): Promise<SchemaNames> =>
    known.get(number) ?? readNames(ctx, projectId, number);
  const followed = await followRevisions(rows, { lowest, read, server, stops: [deployed, requestedCount] });
  const from = await followBrokenRuns(
    followed.states.get(deployed) ?? new Map(),
    await ctx.directory.listBrokenRuns(databaseId),
    followed,
    server,
  );
  const base = {
    state: followed.states.get(requestedCount) ?? new Map(),
    fault: findFault(followed, deployed, requestedCount),
  };
  const after = await followText(base, payload, followed, server);
  const since =
    revision < deployed
      ? []
      : [
          ...rows
            .filter((row) => row.revision > deployed && row.restores === null)
            .map((row) => row.statements),
          payload.sql,
        ];
  return {
    counters: await readCounters(since, server),
    lineageOf(draft) {
      const { state, fault } = after(draft);
      if (fault !== null) throw fault;
      return lineageBetween(from, state, followed.taken);
    },
  };
}

/**
 * Returns whether a text gives a name of its base to a different object.
 * @throws AppError `schema.rename_not_possible` when the text's names cannot be traced, because no later plan
 * could trace them either
 */
export async function passesNames(
  server: WorkerServer,
  payload: TaskPayload<'plan_schema'>,
  draft: SchemaNames,
): Promise<boolean> {
  if (payload.base === null) return false;
  const sources = { ids: new IdentitySource(), graveyard: new DroppedObjects() };
  const base = nameStateOf(payload.base, sources.ids);
  const { state, fault } = (await followText({ state: base, fault: null }, payload, sources, server))(draft);
  if (fault !== null) throw fault;
  const { tables, known } = lineageBetween(base, state);
  const isOther = (
    name: string,
    origin: string | null,
    names: { has(name: string): boolean } | undefined,
  ): boolean => origin !== name && names?.has(name) === true;
  return [...tables].some(
    ([name, table]) =>
      isOther(name, table.name, known) ||
      [...table.columns].some(([column, origin]) =>
        isOther(column, origin.name, known.get(table.name ?? '')),
      ),
  );
}

async function readCounters(
  texts: readonly string[],
  { engine, engineVersion: version }: WorkerServer,
): Promise<CounterSetting[]> {
  const found: CounterSetting[] = [];
  for (const text of texts)
    found.push(...(await runStepsInSlices(findCountersSteps(text, { engine, version }), () => nextSlice())));
  return found;
}

/** Returns the error if the names of a text between the two revisions cannot be traced. */
function findFault({ faults }: Followed, deployed: number, requestedCount: number): AppError | null {
  const [low, high] =
    deployed <= requestedCount
      ? [faults.get(deployed), faults.get(requestedCount)]
      : [faults.get(requestedCount), faults.get(deployed)];
  return high === undefined || high === low ? null : high;
}

async function readNames(
  ctx: Pick<WorkerContext, 'directory'>,
  projectId: string,
  revision: number,
): Promise<SchemaNames> {
  const text = revision === 0 ? null : await ctx.directory.readWorkingSnapshot(projectId, revision);
  return text === null ? { tables: [] } : (JSON.parse(text) as Snapshot);
}

/** Reads the revisions in between, and all earlier revisions that one of them restores. */
async function readRevisions(
  ctx: Pick<WorkerContext, 'directory'>,
  projectId: string,
  low: number,
  high: number,
): Promise<RevisionText[]> {
  const rows = await ctx.directory.listRevisions(projectId, low, high);
  const lowest = Math.min(low, ...rows.flatMap((row) => row.restores ?? []));
  return lowest === low ? rows : readRevisions(ctx, projectId, lowest, high);
}
