import type { TaskPayload } from '@rowhouse/contracts';
import { invertHints, settleHints, type RenameHint } from '@rowhouse/ddl-plan';
import type { RevisionText, WorkerServer } from '@rowhouse/platform-store';
import { findRenames } from '../scratch/rename-hints.js';
import type { WorkerContext } from '../worker-context.js';

const REVISION_MAX = 4_294_967_295;

/** What was renamed in words since the revision that the target runs, and in this text. */
export async function collectHints(ctx: WorkerContext, databaseId: string, server: WorkerServer, payload: TaskPayload<'plan_schema'>): Promise<RenameHint[]> {
  const deployed = await ctx.directory.readDeployedRevision(databaseId);
  const { revision = REVISION_MAX } = payload;
  const [low, high] = [Math.min(deployed, revision), Math.max(deployed, revision)];
  const rows = await readRevisions(ctx, payload.project_id, low, high);
  const hints = new Map<string, RenameHint[]>();
  for (const { statements, restores } of rows) if (restores === null) hints.set(statements, await findRenames(statements, server));
  const between = hintsBetween(rows, low, high, (text) => hints.get(text) ?? []);
  // Back to an earlier revision: what was renamed on the way is renamed back.
  return settleHints([...(revision < deployed ? invertHints(between) : between), ...(await findRenames(payload.sql, server))]);
}

/** Those in between, and all that one of them reaches back to. */
async function readRevisions(ctx: WorkerContext, projectId: string, low: number, high: number): Promise<RevisionText[]> {
  const rows = await ctx.directory.listRevisions(projectId, low, high);
  const lowest = Math.min(low, ...rows.flatMap((row) => row.restores ?? []));
  return lowest === low ? rows : readRevisions(ctx, projectId, lowest, high);
}

/** The renames of the revisions behind `after` up to `through`. One that restores an earlier schema undoes those that were made since. */
export function hintsBetween(rows: readonly RevisionText[], after: number, through: number, read: (text: string) => RenameHint[]): RenameHint[] {
  const known = new Map<number, RenameHint[]>();
  const between = (low: number, high: number): RenameHint[] => settleHints(rows.filter(({ revision }) => revision > low && revision <= high).flatMap(hintsOf));
  const hintsOf = (row: RevisionText): RenameHint[] => {
    const hints = known.get(row.revision) ?? (row.restores === null ? read(row.statements) : invertHints(between(row.restores, row.revision - 1)));
    known.set(row.revision, hints);
    return hints;
  };
  return between(after, through);
}
