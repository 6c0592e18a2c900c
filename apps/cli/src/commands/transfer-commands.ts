import { createReadStream, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseResponse, LoadResponse, TransferFileResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { makeDeleteCommand } from '../delete-command.js';
import { download, toPath } from '../files/write-files.js';
import { makeListCommand, ofProject } from '../list-command.js';

const CHECK_INTERVAL_MS = 300;

/** Polls until `isEnded` returns true, and shows the progress. */
async function follow<T>(
  ctx: Context,
  first: T,
  path: string,
  isEnded: (now: T) => boolean,
  toLine: (now: T) => string,
): Promise<T> {
  for (let now = first; ; now = await ctx.api().get<T>(path)) {
    if (isEnded(now)) {
      ctx.output.endProgress();
      return now;
    }
    ctx.output.progress(toLine(now));
    await pause(CHECK_INTERVAL_MS, undefined, { signal: ctx.environment.stopped }).catch(() => undefined);
  }
}

async function followFile(
  ctx: Context,
  projectId: string,
  file: TransferFileResponse,
): Promise<TransferFileResponse> {
  const ended = await follow(
    ctx,
    file,
    `/api/projects/${projectId}/files/${file.id}`,
    (now) => now.state === 'ready' || now.state === 'failed',
    (now) => `${now.kind}: ${now.rows} rows`,
  );
  if (ended.state === 'failed')
    throw new CliError(ended.error?.detail ?? `The ${ended.kind} failed.`, {
      next: 'fix the problem above and try again',
      body: { code: ended.error?.code ?? 'file.failed' },
    });
  return ended;
}

/** Waits until all rows are loaded. */
export async function followLoad(ctx: Context, load: LoadResponse): Promise<LoadResponse> {
  const ended = await follow(
    ctx,
    load,
    `/api/databases/${load.database}/loads/${load.id}`,
    (now) => now.finished_at !== null,
    (now) => `${now.rows_done} of ${now.rows_total} rows`,
  );
  if (ended.state === 'cancelled')
    throw new CliError('The load was canceled.', { next: 'run rowhouse load to load the remaining rows' });
  // Servers of older versions do not send notes.
  for (const note of ended.notes ?? []) ctx.output.warn(note);
  if (ended.error !== null)
    throw new CliError(ended.error.detail, {
      next: ended.error.hint ?? 'fix the problem above and try again',
      body: { code: ended.error.code },
    });
  return ended;
}

const exportDatabase: Command = {
  name: 'export',
  about: 'Export the schema and rows of a database as gzipped SQL',
  args: 'FILE',
  argsMin: 1,
  options: {
    table: {
      type: 'string',
      multiple: true,
      value: 'TABLE',
      about: 'only include rows of this table; repeatable',
    },
  },
  examples: ['rowhouse export backup.sql.gz -d production', 'rowhouse export posts.sql.gz --table posts'],
  run: async (ctx) => {
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    const path = toPath(ctx, ctx.args[0] ?? '');
    const tables = ctx.texts('table');
    const file = await followFile(
      ctx,
      project.id,
      await ctx
        .api()
        .post<TransferFileResponse>(
          `/api/databases/${database.id}/export`,
          tables.length === 0 ? {} : { tables },
        ),
    );
    await download(ctx, downloadOf(project.id, file.id), path);
    ctx.output.result({ ...file, path }, () =>
      ctx.output.done(
        `Exported ${file.rows} rows of ${database.environment} to ${path}. To restore this export (${file.id}): rowhouse restore ${file.id} ENVIRONMENT`,
      ),
    );
  },
};

function downloadOf(projectId: string, fileId: string): string {
  return `/api/projects/${projectId}/files/${encodeURIComponent(fileId)}/download`;
}

const importDump: Command = {
  name: 'schema import',
  about: 'Import a dump: its tables change the working schema, and its rows are stored for loading',
  args: 'FILE',
  argsMin: 1,
  options: {
    replace: { type: 'boolean', about: 'replace the working schema' },
    load: { type: 'boolean', about: 'load the rows into empty tables of the database without a deploy' },
  },
  examples: [
    'mysqldump shop > shop.sql && rowhouse schema import shop.sql',
    'rowhouse schema import shop.sql.gz --replace',
  ],
  notes:
    'Then run rowhouse schema deploy, and rowhouse load FILE_ID for the rows. If rowhouse.json ' +
    'names a schema file, run\nrowhouse schema pull first. Otherwise, rowhouse dev would replace ' +
    'the imported schema with the old file.',
  run: async (ctx) => {
    const project = await ctx.project();
    const path = toPath(ctx, ctx.args[0] ?? '');
    if (!existsSync(path))
      throw new CliError(`Couldn't read ${path}.`, { exitCode: EXIT.usage, next: 'choose an existing file' });
    const api = ctx.api();
    const type = path.endsWith('.gz') ? 'application/gzip' : 'application/sql';
    const created = await api.upload<TransferFileResponse>(
      `/api/projects/${project.id}/schema/import${ctx.is('replace') ? '?mode=replace' : ''}`,
      createReadStream(path),
      type,
    );
    const file = await followFile(ctx, project.id, created);
    const load = ctx.is('load')
      ? await followLoad(
          ctx,
          await api.post<LoadResponse>(`/api/databases/${ctx.databaseOf(project).id}/loads`, {
            file: file.id,
          }),
        )
      : null;
    ctx.output.result({ ...file, load }, () => {
      for (const note of file.notes) ctx.output.warn(note);
      reportProblems(ctx, file);
      const next = [
        ...(ctx.projectFile().schema === undefined ? [] : ['rowhouse schema pull']),
        'rowhouse schema deploy',
        `rowhouse load ${file.id}`,
      ];
      ctx.output.done(
        `Stored ${file.rows} rows as ${file.id}.${file.revision === null ? '' : ` The working schema is now at revision ${file.revision}.`} Next: ${next.join(', ')}`,
      );
    });
  },
};

/** Lists rejected statements with their line, as a compiler does, up to a maximum number. */
function reportProblems(ctx: Context, { problems, problems_total: total }: TransferFileResponse): void {
  for (const { line, object, reason } of problems)
    ctx.output.warn(`line ${line}${object === '' ? '' : `, ${object}`}: ${reason}`);
  if (total > problems.length) ctx.output.warn(`${total - problems.length} more statements were skipped.`);
}

const load: Command = {
  name: 'load',
  about: 'Load the rows of a stored file into empty tables of a database',
  args: 'FILE_ID',
  argsMin: 1,
  examples: ['rowhouse load fil_…'],
  run: async (ctx) => {
    const database = await ctx.database();
    const ended = await followLoad(
      ctx,
      await ctx.api().post<LoadResponse>(`/api/databases/${database.id}/loads`, { file: ctx.args[0] }),
    );
    ctx.output.result(ended, () =>
      ctx.output.done(`Loaded ${ended.rows_done} rows into ${database.environment}.`),
    );
  },
};

const restore: Command = {
  name: 'restore',
  about: 'Create a database in the project from a stored file',
  args: 'FILE_ID ENVIRONMENT',
  argsMin: 2,
  examples: ['rowhouse restore fil_… checked -d production'],
  run: async (ctx) => {
    const source = await ctx.database();
    const [file, environment] = ctx.args;
    const created = await ctx
      .api()
      .post<{ database: DatabaseResponse; load: LoadResponse }>(`/api/databases/${source.id}/restore`, {
        file,
        environment,
      });
    const ended = await followLoad(ctx, created.load);
    ctx.output.result({ database: created.database, load: ended }, () =>
      ctx.output.done(
        `Created ${created.database.environment} with ${ended.rows_done} rows (${created.database.id}).`,
      ),
    );
  },
};

const files = makeListCommand<TransferFileResponse>({
  name: 'files list',
  about: 'List stored exports and imports',
  examples: ['rowhouse files list'],
  path: ofProject('files'),
  columns: {
    kind: (file) => file.kind,
    state: (file) => file.state,
    rows: (file) => file.rows,
    bytes: (file) => file.bytes,
    created: (file) => file.created_at,
    expires: (file) => file.expires_at ?? 'never',
    id: (file) => file.id,
  },
});

const fetchFile: Command = {
  name: 'files download',
  about: 'Download a stored file as gzipped SQL',
  args: 'FILE_ID FILE',
  argsMin: 2,
  examples: ['rowhouse files download fil_… backup.sql.gz'],
  run: async (ctx) => {
    const path = toPath(ctx, ctx.args[1] ?? '');
    await download(ctx, downloadOf((await ctx.project()).id, ctx.args[0] ?? ''), path);
    ctx.output.result({ path }, () => ctx.output.done(`Saved to ${path}.`));
  },
};

const remove = makeDeleteCommand({
  name: 'files delete',
  about: 'Delete a stored export or import',
  args: 'FILE_ID',
  examples: ['rowhouse files delete fil_… --yes'],
  path: ofProject('files'),
  question: "Delete this file? This can't be undone.",
  done: 'File deleted.',
});

export const transferCommands: readonly Command[] = [
  importDump,
  exportDatabase,
  load,
  restore,
  files,
  fetchFile,
  remove,
];
