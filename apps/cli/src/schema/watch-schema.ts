import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseResponse, ProjectResponse, WorkingSchemaResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { pythonTarget, typeScriptTarget } from '../commands/code-commands.js';
import { findSchemaFile } from '../commands/schema-commands.js';
import { generateCode, type CodeTarget } from '../code/generate-code.js';
import type { Context } from '../context.js';
import { deploySchema } from './deploy-schema.js';
import { writeSchemaFile } from '../files/write-files.js';

const CHECK_INTERVAL_MS = 200;
const REMOTE_INTERVAL_MS = 1_000;
/**
 * The delay after a change before the file is read, in milliseconds. An editor may truncate a file before it
 * writes it.
 */
const SETTLE_MS = 50;

interface Watched {
  readonly ctx: Context;
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  readonly path: string;
  readonly targets: readonly CodeTarget[];
}

/** The state after the last synchronization. */
interface Agreed {
  /** The last text sent from the file. */
  text: string;
  revision: number;
  snapshot: number;
  /**
   * The modification time of the file if it was rejected. It is sent
   * again when the user saves it again. Null when it was accepted.
   */
  rejectedSaveMs: number | null;
}

/** Synchronizes the schema file, the development database and the generated code until it is stopped. */
export async function watchSchema(
  ctx: Context,
  { isCoding }: { readonly isCoding: boolean },
): Promise<number> {
  const watched = await open(ctx, isCoding);
  const agreed: Agreed = { text: '', revision: -1, snapshot: -1, rejectedSaveMs: null };
  if (ctx.is('once')) {
    await synchronize(watched, agreed);
    return EXIT.ok;
  }
  await warnOnFailure(ctx, () => synchronize(watched, agreed));
  ctx.output.note(`Watching ${watched.path}. Press Ctrl+C to stop.`);
  let remoteAt = performance.now();
  while (!ctx.environment.stopped.aborted) {
    await pause(CHECK_INTERVAL_MS, undefined, { signal: ctx.environment.stopped }).catch(() => undefined);
    if (ctx.environment.stopped.aborted) break;
    const isRemoteDue = performance.now() - remoteAt > REMOTE_INTERVAL_MS;
    if (isRemoteDue) remoteAt = performance.now();
    await warnOnFailure(ctx, () => checkOnce(watched, agreed, isRemoteDue));
  }
  return EXIT.ok;
}

async function open(ctx: Context, isCoding: boolean): Promise<Watched> {
  const file = ctx.projectFile();
  const path = findSchemaFile(ctx, undefined);
  if (path === null || file.project === undefined)
    throw new CliError('This folder is not linked to a project.', {
      exitCode: EXIT.usage,
      next: 'run rowhouse init --project NAME',
    });
  const project = await ctx.project();
  const targets = isCoding
    ? [
        ...(file.python === undefined ? [] : [pythonTarget(ctx)]),
        ...(file.typescript === undefined ? [] : [typeScriptTarget(ctx)]),
      ]
    : [];
  if (isCoding && targets.length === 0)
    ctx.output.warn('rowhouse.json configures no code generation. To add it: rowhouse init --python models');
  return { ctx, project, database: ctx.databaseOf(project), path, targets };
}

/** Reports an error and continues, since the next change may fix it. */
async function warnOnFailure(ctx: Context, callback: () => Promise<void>): Promise<void> {
  try {
    await callback();
  } catch (err) {
    if (ctx.environment.stopped.aborted) return;
    if (!(err instanceof CliError)) throw err;
    ctx.output.warn(`${err.message}\n  ${err.next}`);
  }
}

async function checkOnce(watched: Watched, agreed: Agreed, isRemoteDue: boolean): Promise<void> {
  const text = readText(watched.path);
  const isSavedAgain = agreed.rejectedSaveMs !== null && readSavedMs(watched.path) !== agreed.rejectedSaveMs;
  if (text !== null && (text !== agreed.text || isSavedAgain)) {
    await pause(SETTLE_MS);
    return readText(watched.path) === text ? push(watched, agreed, text) : undefined;
  }
  if (isRemoteDue) await pull(watched, agreed);
}

/** Sends an existing file, or writes a missing one. */
async function synchronize(watched: Watched, agreed: Agreed): Promise<void> {
  const { ctx, project, path } = watched;
  const remote = await ctx.api().get<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`);
  const text = readText(path);
  agreed.revision = remote.revision;
  const pulled = writeSchemaFile(remote);
  if (text === null) writeFileSync(path, pulled);
  // A file without a comment at its beginning was written by an earlier version.
  if (text !== null && text !== pulled && text !== remote.sql) return push(watched, agreed, text, true);
  agreed.text = text ?? pulled;
  await publish(watched, agreed);
}

/**
 * Sends a changed file.
 * The server rejects it when the working schema has changed too, so that neither side is lost silently.
 */
async function push(watched: Watched, agreed: Agreed, text: string, isFirst = false): Promise<void> {
  const { ctx, project, path } = watched;
  // If the server rejects the text, it is not sent again until the user saves the file again.
  agreed.text = text;
  agreed.rejectedSaveMs = readSavedMs(path);
  try {
    const schema = await ctx.api().put<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`, {
      sql: text,
      mode: 'replace',
      base_revision: agreed.revision,
    });
    // The two versions have not been compared before, so a change by someone else may be overwritten.
    if (isFirst && schema.revision !== agreed.revision)
      ctx.output.note(
        `${path} had changed since revision ${agreed.revision}. It is saved as revision ${schema.revision}. To go back: rowhouse schema restore ${agreed.revision}`,
      );
    agreed.revision = schema.revision;
    agreed.rejectedSaveMs = null;
    for (const note of schema.notes) ctx.output.warn(note);
  } catch (err) {
    if (!(err instanceof CliError) || err.body['code'] !== 'schema.stale_base') throw err;
    agreed.revision = Number(err.body['revision'] ?? agreed.revision);
    throw new CliError(`The working schema was changed elsewhere while you edited ${path}.`, {
      next: `save the file again to keep your version, or run rowhouse schema pull to use the other one`,
    });
  }
  await publish(watched, agreed);
}

/** Handles a change of the working schema or the deployed schema from elsewhere. */
async function pull(watched: Watched, agreed: Agreed): Promise<void> {
  const { ctx, project, path, database } = watched;
  const remote = await ctx.api().get<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`);
  if (remote.revision !== agreed.revision) {
    if (readText(path) !== agreed.text || agreed.rejectedSaveMs !== null) return;
    const text = writeSchemaFile(remote);
    writeFileSync(path, text);
    Object.assign(agreed, { text, revision: remote.revision });
    ctx.output.note(`Revision ${remote.revision} was created elsewhere. Updated ${path}.`);
    return publish(watched, agreed);
  }
  const now = await ctx.api().get<DatabaseResponse>(`/api/databases/${database.id}`);
  if (now.snapshot_number !== agreed.snapshot) await makeCode(watched, agreed);
}

async function publish(watched: Watched, agreed: Agreed): Promise<void> {
  const { ctx, project, database } = watched;
  const deployed = await deploySchema(ctx, project, database, {
    isLossAccepted: ctx.is('accept-loss'),
    isWaiting: true,
  });
  for (const note of deployed.migrations.length === 0 ? [] : deployed.notes) ctx.output.warn(note);
  ctx.output.event(
    {
      event: 'deployed',
      database: database.id,
      revision: deployed.revision,
      migrations: deployed.migrations.map((migration) => migration.id),
    },
    `${database.environment} ${deployed.migrations.length === 0 ? 'is up to date' : `now has revision ${deployed.revision}`}.`,
  );
  await makeCode(watched, agreed);
}

async function makeCode({ ctx, database, targets }: Watched, agreed: Agreed): Promise<void> {
  for (const target of targets) {
    const report = await generateCode(ctx, database, target, false);
    agreed.snapshot = report.snapshot;
    for (const path of report.orphaned)
      ctx.output.warn(`The table of ${path} no longer exists. Remove the file when nothing uses it.`);
    const count = report.written.length + report.removed.length;
    ctx.output.event(
      { event: 'generated', ...report, language: target.language, folder: target.folder },
      `${target.folder}: ${count === 0 ? 'no changes' : count === 1 ? '1 file changed' : `${count} files changed`}.`,
    );
  }
  if (targets.length === 0)
    agreed.snapshot = (
      await ctx.api().get<DatabaseResponse>(`/api/databases/${database.id}`)
    ).snapshot_number;
}

function readSavedMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
