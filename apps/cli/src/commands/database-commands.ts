import type { DatabaseResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { waitUntilReady } from '../schema/wait-until-ready.js';

/** Selects the engine of a new database when the operator offers both. */
export const ENGINE_OPTION = {
  type: 'string',
  value: 'mariadb|mysql',
  about: 'the engine, if the operator offers both',
} as const;

const list: Command = {
  name: 'databases list',
  about: 'List the databases of a project',
  examples: ['rowhouse databases list'],
  run: async (ctx) => {
    const { databases } = await ctx.project();
    ctx.output.result(databases, () =>
      ctx.output.table(
        ['database', 'state', 'engine', 'snapshot', 'base URL', 'id'],
        databases.map((database) => [
          database.environment,
          database.state,
          database.engine ?? '',
          database.snapshot_number,
          database.base_url,
          database.id,
        ]),
      ),
    );
  },
};

const create: Command = {
  name: 'databases create',
  about: 'Create a database for another environment',
  args: 'ENVIRONMENT',
  argsMin: 1,
  options: { engine: ENGINE_OPTION },
  examples: ['rowhouse databases create staging', 'rowhouse databases create staging --engine mysql'],
  run: async (ctx) => {
    const created = await ctx
      .api()
      .post<DatabaseResponse>(`/api/projects/${(await ctx.project()).id}/databases`, {
        environment: ctx.args[0],
        engine: ctx.text('engine'),
      });
    const database = await waitUntilReady(ctx, created);
    ctx.output.result(database, () =>
      ctx.output.done(
        `${database.environment} is ready (${database.id}). Next: rowhouse schema deploy -d ${database.environment}`,
      ),
    );
  },
};

const settings: Command = {
  name: 'databases settings',
  about: 'Show the settings of a database, or change them with NAME=VALUE',
  args: '[NAME=VALUE …]',
  argsMax: 20,
  examples: [
    'rowhouse databases settings',
    'rowhouse databases settings unknown_fields=ignore regex_enabled=true',
    `rowhouse databases settings 'hidden_columns={"users":["password_hash"]}' -d production`,
  ],
  notes: 'Values that are not valid JSON are used as text.',
  run: async (ctx) => {
    const database = await ctx.database();
    const changed = Object.fromEntries(ctx.args.map(readPair));
    const now =
      ctx.args.length === 0
        ? database
        : await ctx.api().patch<DatabaseResponse>(`/api/databases/${database.id}`, { settings: changed });
    ctx.output.result(now.settings, () =>
      ctx.output.table(
        ['setting', 'value'],
        Object.entries(now.settings).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    );
  },
};

function readPair(text: string): [string, unknown] {
  const index = text.indexOf('=');
  if (index < 1)
    throw new CliError(`Invalid argument ${text}. Expected NAME=VALUE.`, {
      exitCode: EXIT.usage,
      next: 'see rowhouse databases settings --help',
    });
  const [name, value] = [text.slice(0, index), text.slice(index + 1)];
  try {
    return [name, JSON.parse(value) as unknown];
  } catch {
    return [name, value];
  }
}

const remove: Command = {
  name: 'databases delete',
  about: 'Delete a database and all its data',
  examples: ['rowhouse databases delete -d staging'],
  run: async (ctx) => {
    if (ctx.text('database') === undefined)
      throw new CliError('No database selected.', {
        exitCode: EXIT.usage,
        next: 'select the database to delete with --database',
      });
    const database = await ctx.database();
    await ctx.confirm(`Delete ${database.environment} and all its data?`);
    await ctx.api().delete(`/api/databases/${database.id}`, { confirm: database.environment });
    ctx.output.result({ id: database.id }, () => ctx.output.done(`${database.environment} deleted.`));
  },
};

export const databaseCommands: readonly Command[] = [list, create, settings, remove];
