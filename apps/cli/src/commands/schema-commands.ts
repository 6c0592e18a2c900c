import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type {
  DeployedSchemaResponse,
  DiffResponse,
  ListResponse,
  ProjectResponse,
  ProposalResponse,
  RevisionItem,
  TakenSchemaResponse,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command, OptionSpec } from '../command.js';
import { resolveInside } from '../config/resolve-inside.js';
import { readCount, type Context } from '../context.js';
import { showPlan } from '../schema/show-plan.js';
import { writeSchemaFile } from '../files/write-files.js';

/** Reads a file, the schema file of the folder, or standard input for `-`. */
export async function readSql(ctx: Context, name: string | undefined): Promise<string> {
  if (name === '-') return ctx.environment.readInput();
  const path = findSchemaFile(ctx, name);
  if (path === null)
    throw new CliError('No schema file found.', {
      exitCode: EXIT.usage,
      next: 'specify a file, use - for standard input, or link this folder to a project with rowhouse init',
    });
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(`Couldn't read ${path}.`, {
      exitCode: EXIT.usage,
      next: 'choose an existing file, or create it with rowhouse schema pull',
    });
  }
}

export function findSchemaFile(ctx: Context, name: string | undefined): string | null {
  if (name !== undefined) return isAbsolute(name) ? name : join(ctx.environment.cwd, name);
  const { folder, schema } = ctx.projectFile();
  return schema === undefined ? null : resolveInside(folder, schema);
}

const pull: Command = {
  name: 'schema pull',
  about: 'Save the working schema to a file',
  args: '[FILE]',
  argsMax: 1,
  options: { deployed: { type: 'boolean', about: 'save the deployed schema instead of the working schema' } },
  examples: [
    'rowhouse schema pull',
    'rowhouse schema pull schema.sql',
    'rowhouse schema pull - --deployed -d production | less',
  ],
  notes: 'FILE defaults to the schema file in rowhouse.json, or to standard output without one.',
  run: async (ctx) => {
    const project = await ctx.project();
    const schema = await readSchema(ctx, project);
    const path = ctx.args[0] === '-' ? null : findSchemaFile(ctx, ctx.args[0]);
    const file = writeSchemaFile(schema);
    if (path !== null) writeFileSync(path, file);
    ctx.output.result({ ...schema, ...(path === null ? {} : { file: path }) }, () => {
      if (path === null) ctx.output.raw(file);
      else ctx.output.done(`Saved ${schema.title} of ${project.name} to ${path}.`);
    });
  },
};

interface PulledSchema extends Pick<WorkingSchemaResponse, 'sql' | 'file_frame'> {
  readonly title: string;
  readonly revision?: number;
}

async function readSchema(ctx: Context, project: ProjectResponse): Promise<PulledSchema> {
  if (ctx.is('deployed')) {
    const {
      sql,
      file_frame,
      snapshot_number: number,
    } = await ctx.api().get<DeployedSchemaResponse>(`/api/databases/${ctx.databaseOf(project).id}/schema`);
    return { sql, file_frame, title: `version ${number}` };
  }
  const { sql, file_frame, revision } = await ctx
    .api()
    .get<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`);
  return { sql, file_frame, revision, title: `revision ${revision}` };
}

const BASE: Readonly<Record<string, OptionSpec>> = {
  base: {
    type: 'string',
    value: 'REVISION',
    about: 'fail if the working schema is no longer at this revision',
  },
};

function readBase(ctx: Context): { base_revision?: number } {
  const revision = ctx.count('base');
  return revision === undefined ? {} : { base_revision: revision };
}

/** Updates the working schema with SQL and reports the result. */
async function put(
  ctx: Context,
  sql: string,
  mode: 'replace' | 'apply',
  renames: readonly Rename[] = [],
): Promise<void> {
  const project = await ctx.project();
  const schema = await ctx.api().put<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`, {
    sql,
    mode,
    ...(renames.length === 0 ? {} : { renames }),
    ...readBase(ctx),
  });
  ctx.output.result(schema, () => {
    for (const note of schema.notes) ctx.output.warn(note);
    ctx.output.done(
      `The working schema of ${project.name} is now at revision ${schema.revision}. Next: rowhouse schema diff, rowhouse schema deploy`,
    );
  });
}

const push: Command = {
  name: 'schema push',
  about: 'Replace the working schema with a file, without deploying it',
  args: '[FILE]',
  argsMax: 1,
  options: {
    ...BASE,
    rename: {
      type: 'string',
      multiple: true,
      value: 'OLD=NEW',
      about: 'a renamed table or column, such as posts=articles or posts.title=headline; repeatable',
    },
  },
  examples: [
    'rowhouse schema push',
    'rowhouse schema push schema.sql --base 4',
    'rowhouse schema push --rename posts.title=headline',
  ],
  run: async (ctx) =>
    put(ctx, await readSql(ctx, ctx.args[0]), 'replace', ctx.texts('rename').map(readRename)),
};

type Rename =
  | { readonly kind: 'table'; readonly from: string; readonly to: string }
  | { readonly kind: 'column'; readonly table: string; readonly from: string; readonly to: string };

function readRename(text: string): Rename {
  const [, table = '', from, to = ''] = /^([^.=]+)(?:\.([^=]+))?=([^=]+)$/.exec(text) ?? [];
  if (table === '')
    throw new CliError(`Invalid value ${text}. Expected OLD=NEW.`, {
      exitCode: EXIT.usage,
      next: 'write it like posts=articles or posts.title=headline',
    });
  return from === undefined ? { kind: 'table', from: table, to } : { kind: 'column', table, from, to };
}

const apply: Command = {
  name: 'schema apply',
  about: 'Change the working schema with CREATE, ALTER and DROP statements',
  args: '[FILE]',
  argsMax: 1,
  options: { ...BASE, sql: { type: 'string', value: 'SQL', about: 'the statements' } },
  examples: [
    `rowhouse schema apply --sql 'ALTER TABLE posts ADD subtitle VARCHAR(200) NULL'`,
    'rowhouse schema apply change.sql',
  ],
  run: async (ctx) => put(ctx, ctx.text('sql') ?? (await readSql(ctx, ctx.args[0] ?? '-')), 'apply'),
};

const take: Command = {
  name: 'schema take',
  about: 'Copy changes made over direct connections into the working schema',
  args: '[OBJECT …]',
  argsMax: 100,
  options: BASE,
  examples: ['rowhouse schema take', 'rowhouse schema take posts -d production'],
  notes: 'List these changes with rowhouse drift.',
  run: async (ctx) => {
    const project = await ctx.project();
    const taken = await ctx.api().post<TakenSchemaResponse>(`/api/projects/${project.id}/schema/take`, {
      database: ctx.databaseOf(project).id,
      ...(ctx.args.length === 0 ? {} : { objects: ctx.args }),
      ...readBase(ctx),
    });
    ctx.output.result(taken, () =>
      ctx.output.done(
        taken.taken.length === 0
          ? 'There are no changes to copy.'
          : `Copied ${taken.taken.join(', ')}. The working schema is now at revision ${taken.revision}.`,
      ),
    );
  },
};

const ask: Command = {
  name: 'schema ask',
  about: 'Describe a schema change and get the SQL; --apply adds it to the working schema',
  args: 'DESCRIPTION',
  argsMin: 1,
  options: { apply: { type: 'boolean', about: 'add the change to the working schema' } },
  examples: [
    'rowhouse schema ask "a table authors with name and birthday"',
    'rowhouse schema ask "add subtitle to posts" --apply',
  ],
  run: async (ctx) => {
    const project = await ctx.project();
    const proposal = await ctx
      .api()
      .post<ProposalResponse>(`/api/projects/${project.id}/schema/requests`, { request: ctx.args[0] });
    const taken = ctx.is('apply')
      ? await ctx.api().put<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`, {
          sql: proposal.sql,
          mode: 'apply',
          base_revision: proposal.revision,
        })
      : null;
    ctx.output.result({ ...proposal, applied_revision: taken?.revision ?? null }, () => {
      ctx.output.line(proposal.sql.trimEnd());
      for (const note of [...proposal.notes, ...proposal.loss.map((item) => `Data loss: ${item}`)])
        ctx.output.warn(note);
      ctx.output.done(
        taken === null
          ? 'Nothing has changed yet. Use --apply to add this to the working schema.'
          : `The working schema is now at revision ${taken.revision}. Next: rowhouse schema deploy`,
      );
    });
  },
};

const LOG_WIDTH = 100;

const log: Command = {
  name: 'schema log',
  about: 'List the revisions of the working schema, newest first',
  options: { limit: { type: 'string', value: 'N', about: 'the maximum number; default: 20' } },
  examples: ['rowhouse schema log', 'rowhouse schema log --limit 5 --json'],
  run: async (ctx) => {
    const project = await ctx.project();
    const { items } = await ctx
      .api()
      .get<ListResponse<RevisionItem>>(
        `/api/projects/${project.id}/schema/revisions?limit=${ctx.count('limit') ?? 20}`,
      );
    ctx.output.result({ items }, () => {
      for (const item of items) {
        ctx.output.line(
          `${item.revision}  ${item.created_at}  ${item.by?.name ?? ''}${item.deployed_to.length === 0 ? '' : `  [${item.deployed_to.join(', ')}]`}`,
        );
        ctx.output.line(`    ${item.statements.trim().split('\n')[0]?.slice(0, LOG_WIDTH) ?? ''}`);
      }
    });
  },
};

/** Makes an earlier revision the working schema. */
async function restore(
  ctx: Context,
  project: ProjectResponse,
  request: { readonly revision?: number; readonly database?: string; readonly base_revision?: number },
): Promise<void> {
  const schema = await ctx
    .api()
    .post<WorkingSchemaResponse>(`/api/projects/${project.id}/schema/restore`, request);
  ctx.output.result(schema, () =>
    ctx.output.done(
      `The working schema of ${project.name} is now at revision ${schema.revision}. Next: rowhouse schema diff, rowhouse schema deploy`,
    ),
  );
}

const restoreCommand: Command = {
  name: 'schema restore',
  about: 'Restore an earlier revision of the working schema, or the deployed one with --deployed',
  args: '[REVISION]',
  argsMax: 1,
  options: { ...BASE, deployed: { type: 'boolean', about: 'discard changes that are not deployed' } },
  examples: ['rowhouse schema restore 4', 'rowhouse schema restore --deployed -d production'],
  run: async (ctx) => {
    const project = await ctx.project();
    const [revision] = ctx.args;
    if ((revision === undefined) !== ctx.is('deployed'))
      throw new CliError('No revision selected.', {
        exitCode: EXIT.usage,
        next: 'specify a revision from rowhouse schema log, or use --deployed',
      });
    await restore(ctx, project, {
      ...(revision === undefined
        ? { database: ctx.databaseOf(project).id }
        : { revision: readCount(revision, 'schema restore') }),
      ...readBase(ctx),
    });
  },
};

function stepCommand(name: 'undo' | 'redo', about: string, nothing: string): Command {
  return {
    name: `schema ${name}`,
    about,
    examples: [`rowhouse schema ${name}`],
    run: async (ctx) => {
      const project = await ctx.project();
      const schema = await ctx.api().get<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`);
      const revision = schema[`${name}_revision`];
      if (revision === null)
        throw new CliError(nothing, { exitCode: EXIT.usage, next: 'see rowhouse schema log' });
      await restore(ctx, project, { revision, base_revision: schema.revision });
    },
  };
}

const undo = stepCommand('undo', 'Undo the last change of the working schema', 'There is nothing to undo.');
const redo = stepCommand(
  'redo',
  'Redo the last undone change of the working schema',
  'There is nothing to redo.',
);

const diff: Command = {
  name: 'schema diff',
  about: 'Show what deploying the working schema would change',
  options: {
    'exit-code': { type: 'boolean', about: `exit with ${EXIT.differs} if there are changes` },
    all: { type: 'boolean', about: 'compare every database of the project' },
  },
  examples: [
    'rowhouse schema diff',
    'rowhouse schema diff -d production --exit-code',
    'rowhouse schema diff --all --json',
  ],
  run: async (ctx) => {
    const project = await ctx.project();
    const query = ctx.is('all') ? '' : `?database=${encodeURIComponent(ctx.databaseOf(project).id)}`;
    const { revision, plans } = await ctx.api().get<DiffResponse>(`/api/projects/${project.id}/diff${query}`);
    ctx.output.result({ revision, plans }, () => plans.forEach((plan) => showPlan(ctx, plan)));
    return ctx.is('exit-code') && plans.some((plan) => plan.steps.length > 0) ? EXIT.differs : EXIT.ok;
  },
};

export const schemaCommands: readonly Command[] = [
  pull,
  push,
  apply,
  take,
  ask,
  log,
  undo,
  redo,
  restoreCommand,
  diff,
];
