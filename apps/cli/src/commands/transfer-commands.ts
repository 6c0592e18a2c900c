import { createReadStream, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseAnswer, LoadAnswer, TransferFileAnswer } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { makeDeleteCommand } from '../delete-command.js';
import { download, toPath } from '../download.js';
import { makeListCommand, ofProject } from '../list-command.js';

const LOOK_INTERVAL_MS = 300;

/** Polls until `isEnded` returns true, and shows the progress. */
async function follow<T>(ctx: Context, first: T, path: string, isEnded: (now: T) => boolean, toLine: (now: T) => string): Promise<T> {
  for (let now = first; ; now = await ctx.api().get<T>(path)) {
    if (isEnded(now)) {
      ctx.output.endProgress();
      return now;
    }
    ctx.output.progress(toLine(now));
    await pause(LOOK_INTERVAL_MS, undefined, { signal: ctx.world.stopped }).catch(() => undefined);
  }
}

async function followFile(ctx: Context, projectId: string, file: TransferFileAnswer): Promise<TransferFileAnswer> {
  const ended = await follow(ctx, file, `/api/projects/${projectId}/files/${file.id}`, (now) => now.state === 'ready' || now.state === 'failed', (now) => `${now.kind}: ${now.rows} rows`);
  if (ended.state === 'failed') throw new CliError(ended.error?.detail ?? `The ${ended.kind} failed.`, { next: 'mend what is named and repeat', body: { code: ended.error?.code ?? 'file.failed' } });
  return ended;
}

/** Waits until all rows are loaded. */
export async function followLoad(ctx: Context, load: LoadAnswer): Promise<LoadAnswer> {
  const ended = await follow(ctx, load, `/api/databases/${load.database}/loads/${load.id}`, (now) => now.finished_at !== null, (now) => `${now.rows_done} of ${now.rows_total} rows`);
  if (ended.state === 'cancelled') throw new CliError('The load was cancelled.', { next: 'rowhouse load brings the rest in' });
  // Servers of older versions do not send notes.
  for (const note of ended.notes ?? []) ctx.output.warn(note);
  if (ended.error !== null) throw new CliError(ended.error.detail, { next: ended.error.hint ?? 'mend what is named and repeat', body: { code: ended.error.code } });
  return ended;
}

const exportDatabase: Command = {
  name: 'export',
  about: 'A copy of a database as it is now, schema and rows, as a gzip of SQL',
  args: 'FILE',
  argsMin: 1,
  options: { table: { type: 'string', multiple: true, value: 'TABLE', about: 'rows of this table alone; again for more' } },
  examples: ['rowhouse export backup.sql.gz -d production', 'rowhouse export posts.sql.gz --table posts'],
  run: async (ctx) => {
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    const path = toPath(ctx, ctx.args[0] ?? '');
    const tables = ctx.texts('table');
    const file = await followFile(ctx, project.id, await ctx.api().post<TransferFileAnswer>(`/api/databases/${database.id}/export`, tables.length === 0 ? {} : { tables }));
    await download(ctx, downloadOf(project.id, file.id), path);
    ctx.output.result({ ...file, path }, () => ctx.output.done(`${path} holds ${file.rows} rows of ${database.environment}. It is also kept as ${file.id}: rowhouse restore ${file.id} ENVIRONMENT`));
  },
};

function downloadOf(projectId: string, fileId: string): string {
  return `/api/projects/${projectId}/files/${encodeURIComponent(fileId)}/download`;
}

const importDump: Command = {
  name: 'schema import',
  about: 'Read a dump: its tables change the working schema, its rows are kept as a file; what is not taken is told by line',
  args: 'FILE',
  argsMin: 1,
  options: { replace: { type: 'boolean', about: 'put its schema in the place of the working schema' }, load: { type: 'boolean', about: 'deploy nothing, but bring its rows into the empty tables of the database' } },
  examples: ['mysqldump shop > shop.sql && rowhouse schema import shop.sql', 'rowhouse schema import shop.sql.gz --replace'],
  notes: 'Afterwards: rowhouse schema deploy, then rowhouse load FILE_ID for the rows. Where rowhouse.json names a schema file, first\nrowhouse schema pull: rowhouse dev would put the file that was there in the place of what the dump brought.',
  run: async (ctx) => {
    const project = await ctx.project();
    const path = toPath(ctx, ctx.args[0] ?? '');
    if (!existsSync(path)) throw new CliError(`${path} cannot be read.`, { exitCode: EXIT.usage, next: 'name a file that is there' });
    const api = ctx.api();
    const type = path.endsWith('.gz') ? 'application/gzip' : 'application/sql';
    const made = await api.upload<TransferFileAnswer>(`/api/projects/${project.id}/schema/import${ctx.is('replace') ? '?mode=replace' : ''}`, createReadStream(path), type);
    const file = await followFile(ctx, project.id, made);
    const load = ctx.is('load') ? await followLoad(ctx, await api.post<LoadAnswer>(`/api/databases/${ctx.databaseOf(project).id}/loads`, { file: file.id })) : null;
    ctx.output.result({ ...file, load }, () => {
      for (const note of file.notes) ctx.output.warn(note);
      tellProblems(ctx, file);
      const next = [...(ctx.projectFile().schema === undefined ? [] : ['rowhouse schema pull']), 'rowhouse schema deploy', `rowhouse load ${file.id}`];
      ctx.output.done(`${file.rows} rows are kept as ${file.id}${file.revision === null ? '' : `; the working schema is at revision ${file.revision}`}. Next: ${next.join(', ')}`);
    });
  },
};

/** Lists rejected statements in the style of a compiler, up to a limit. */
function tellProblems(ctx: Context, { problems, problems_total: total }: TransferFileAnswer): void {
  for (const { line, object, reason } of problems) ctx.output.warn(`line ${line}${object === '' ? '' : `, ${object}`}: ${reason}`);
  if (total > problems.length) ctx.output.warn(`${total - problems.length} more were not taken.`);
}

const load: Command = {
  name: 'load',
  about: "Bring a kept file's rows into the empty tables of a database",
  args: 'FILE_ID',
  argsMin: 1,
  examples: ['rowhouse load fil_…'],
  run: async (ctx) => {
    const database = await ctx.database();
    const ended = await followLoad(ctx, await ctx.api().post<LoadAnswer>(`/api/databases/${database.id}/loads`, { file: ctx.args[0] }));
    ctx.output.result(ended, () => ctx.output.done(`${ended.rows_done} rows are in ${database.environment}.`));
  },
};

const restore: Command = {
  name: 'restore',
  about: 'Make a new database of the project out of a kept file',
  args: 'FILE_ID ENVIRONMENT',
  argsMin: 2,
  examples: ['rowhouse restore fil_… checked -d production'],
  run: async (ctx) => {
    const source = await ctx.database();
    const [file, environment] = ctx.args;
    const made = await ctx.api().post<{ database: DatabaseAnswer; load: LoadAnswer }>(`/api/databases/${source.id}/restore`, { file, environment });
    const ended = await followLoad(ctx, made.load);
    ctx.output.result({ database: made.database, load: ended }, () => ctx.output.done(`${made.database.environment} is there with ${ended.rows_done} rows (${made.database.id}).`));
  },
};

const files = makeListCommand<TransferFileAnswer>({
  name: 'files list',
  about: 'Exports and imports that are kept',
  examples: ['rowhouse files list'],
  path: ofProject('files'),
  columns: {
    kind: (file) => file.kind, state: (file) => file.state, rows: (file) => file.rows, bytes: (file) => file.bytes,
    made: (file) => file.created_at, until: (file) => file.expires_at ?? 'always', id: (file) => file.id,
  },
});

const fetchFile: Command = {
  name: 'files download',
  about: 'A kept file as a gzip of SQL',
  args: 'FILE_ID FILE',
  argsMin: 2,
  examples: ['rowhouse files download fil_… backup.sql.gz'],
  run: async (ctx) => {
    const path = toPath(ctx, ctx.args[1] ?? '');
    await download(ctx, downloadOf((await ctx.project()).id, ctx.args[0] ?? ''), path);
    ctx.output.result({ path }, () => ctx.output.done(`${path} holds it.`));
  },
};

const remove = makeDeleteCommand({
  name: 'files delete',
  about: 'Delete a kept export or import',
  args: 'FILE_ID',
  examples: ['rowhouse files delete fil_… --yes'],
  path: ofProject('files'),
  question: 'Delete it for good?',
  done: 'Gone.',
});

export const transferCommands: readonly Command[] = [importDump, exportDatabase, load, restore, files, fetchFile, remove];
