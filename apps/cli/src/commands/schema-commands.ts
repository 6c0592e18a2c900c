import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { DiffAnswer, ProposalAnswer, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command, OptionSpec } from '../command.js';
import type { Context } from '../context.js';
import { showPlan } from '../show-plan.js';

/** The text of a file, of the schema file, or of standard input with `-`. */
export async function readSql(ctx: Context, name: string | undefined): Promise<string> {
  if (name === '-') return ctx.world.readInput();
  const path = findSchemaFile(ctx, name);
  if (path === null) throw new CliError('Which file?', { exitCode: EXIT.usage, next: 'name one, - for standard input, or tie this folder to a project with rowhouse init' });
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(`${path} cannot be read.`, { exitCode: EXIT.usage, next: 'name a file that is there, or rowhouse schema pull to write it' });
  }
}

export function findSchemaFile(ctx: Context, name: string | undefined): string | null {
  if (name !== undefined) return isAbsolute(name) ? name : join(ctx.world.cwd, name);
  const { folder, schema } = ctx.projectFile();
  return schema === undefined ? null : join(folder, schema);
}

const pull: Command = {
  name: 'schema pull',
  about: 'Write the working schema to a file',
  args: '[FILE]',
  argsMax: 1,
  examples: ['rowhouse schema pull', 'rowhouse schema pull schema.sql', 'rowhouse schema pull - | less'],
  notes: 'Without FILE: the file that rowhouse.json names, else standard output.',
  run: async (ctx) => {
    const project = await ctx.project();
    const schema = await ctx.api().get<WorkingSchemaAnswer>(`/api/projects/${project.id}/schema`);
    const path = ctx.args[0] === '-' ? null : findSchemaFile(ctx, ctx.args[0]);
    if (path !== null) writeFileSync(path, schema.sql);
    ctx.output.result({ ...schema, ...(path === null ? {} : { file: path }) }, () => {
      if (path === null) ctx.output.raw(schema.sql);
      else ctx.output.done(`${path} holds revision ${schema.revision} of ${project.name}.`);
    });
  },
};

const BASE: Readonly<Record<string, OptionSpec>> = { base: { type: 'string', value: 'REVISION', about: 'refuse where the working schema is not of this revision any more' } };

function readBase(ctx: Context): { base_revision?: number } {
  const text = ctx.text('base');
  return text === undefined ? {} : { base_revision: Number(text) };
}

/** Puts SQL into the working schema and tells what came of it. */
async function put(ctx: Context, sql: string, mode: 'replace' | 'apply'): Promise<void> {
  const project = await ctx.project();
  const schema = await ctx.api().put<WorkingSchemaAnswer>(`/api/projects/${project.id}/schema`, { sql, mode, ...readBase(ctx) });
  ctx.output.result(schema, () => {
    for (const note of schema.notes) ctx.output.warn(note);
    ctx.output.done(`The working schema of ${project.name} is at revision ${schema.revision}. Next: rowhouse schema diff, rowhouse schema deploy`);
  });
}

const push: Command = {
  name: 'schema push',
  about: 'Make a file the working schema; nothing is deployed',
  args: '[FILE]',
  argsMax: 1,
  options: BASE,
  examples: ['rowhouse schema push', 'rowhouse schema push schema.sql --base 4'],
  run: async (ctx) => put(ctx, await readSql(ctx, ctx.args[0]), 'replace'),
};

const apply: Command = {
  name: 'schema apply',
  about: 'Change the working schema by CREATE, ALTER and DROP statements',
  args: '[FILE]',
  argsMax: 1,
  options: { ...BASE, sql: { type: 'string', value: 'SQL', about: 'the statements themselves' } },
  examples: [`rowhouse schema apply --sql 'ALTER TABLE posts ADD subtitle VARCHAR(200) NULL'`, 'rowhouse schema apply change.sql'],
  run: async (ctx) => put(ctx, ctx.text('sql') ?? (await readSql(ctx, ctx.args[0] ?? '-')), 'apply'),
};

const load: Command = {
  name: 'schema import',
  about: 'Bring the tables of a dump into the working schema; what it could not take is told',
  args: 'FILE',
  argsMin: 1,
  examples: ['mysqldump --no-data shop > shop.sql && rowhouse schema import shop.sql'],
  run: async (ctx) => put(ctx, await readSql(ctx, ctx.args[0]), 'apply'),
};

const ask: Command = {
  name: 'schema ask',
  about: 'A change in plain words, as SQL to look at; --apply takes it over',
  args: 'WORDS',
  argsMin: 1,
  options: { apply: { type: 'boolean', about: 'put it into the working schema' } },
  examples: ['rowhouse schema ask "a table authors with name and birthday"', 'rowhouse schema ask "add subtitle to posts" --apply'],
  run: async (ctx) => {
    const project = await ctx.project();
    const proposal = await ctx.api().post<ProposalAnswer>(`/api/projects/${project.id}/schema/requests`, { request: ctx.args[0] });
    const taken = ctx.is('apply') ? await ctx.api().put<WorkingSchemaAnswer>(`/api/projects/${project.id}/schema`, { sql: proposal.sql, mode: 'apply', base_revision: proposal.revision }) : null;
    ctx.output.result({ ...proposal, applied_revision: taken?.revision ?? null }, () => {
      ctx.output.line(proposal.sql.trimEnd());
      for (const note of [...proposal.notes, ...proposal.loss.map((one) => `Is lost: ${one}`)]) ctx.output.warn(note);
      ctx.output.done(taken === null ? 'Nothing has been changed: --apply takes it over.' : `The working schema is at revision ${taken.revision}. Next: rowhouse schema deploy`);
    });
  },
};

const diff: Command = {
  name: 'schema diff',
  about: 'What a deploy of the working schema would do',
  options: { 'exit-code': { type: 'boolean', about: `end with ${EXIT.differs} where there is something to do` }, all: { type: 'boolean', about: 'for every database of the project' } },
  examples: ['rowhouse schema diff', 'rowhouse schema diff -d production --exit-code', 'rowhouse schema diff --all --json'],
  run: async (ctx) => {
    const project = await ctx.project();
    const query = ctx.is('all') ? '' : `?database=${encodeURIComponent(ctx.databaseOf(project).id)}`;
    const { revision, plans } = await ctx.api().get<DiffAnswer>(`/api/projects/${project.id}/diff${query}`);
    ctx.output.result({ revision, plans }, () => plans.forEach((plan) => showPlan(ctx, plan)));
    return ctx.is('exit-code') && plans.some((plan) => plan.steps.length > 0) ? EXIT.differs : EXIT.ok;
  },
};

export const schemaCommands: readonly Command[] = [pull, push, apply, load, ask, diff];
