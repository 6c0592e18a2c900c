import type { SeedResponse, SeedRequest } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';

export const seedCommand: Command = {
  name: 'seed',
  about: 'Fill empty tables with realistic sample rows',
  options: {
    rows: { type: 'string', value: 'N', about: 'the number of rows per table, up to 1,000; default: 20' },
    table: { type: 'string', multiple: true, value: 'TABLE', about: 'only this table; repeatable' },
    seed: {
      type: 'string',
      value: 'TEXT',
      about: 'the random seed; the same text gives the same rows on the same day',
    },
    starter: {
      type: 'string',
      value: 'blog|shop',
      about: 'the sample rows of this starter instead of generated ones',
    },
    append: { type: 'boolean', about: 'also add rows to tables that are not empty' },
    production: { type: 'boolean', about: 'allow seeding a production environment' },
  },
  examples: [
    'rowhouse seed',
    'rowhouse seed --rows 200 --table authors --table books',
    'rowhouse seed -d development --seed demo --json',
  ],
  notes:
    'Foreign keys reference existing rows, and rows satisfy checks that Rowhouse understands. Either all rows are added or none.\nIf no rows could be added, the exit code is 1.',
  run: async (ctx) => {
    const request = readRequest(ctx);
    const database = await ctx.database();
    ctx.output.progress(`Creating rows in ${database.environment}`);
    const answer = await ctx
      .api()
      .post<SeedResponse>(`/api/databases/${database.id}/seed`, request)
      .catch(nameOption);
    ctx.output.result(answer, () => {
      ctx.output.table(
        ['table', 'rows', 'note'],
        answer.tables.map((table) => [table.name, table.rows, table.reason]),
      );
      if (answer.tables.length === 0)
        ctx.output.note('This database has no tables yet. Next: rowhouse schema deploy FILE');
      else if (answer.rows === 0)
        ctx.output.warn('No rows were added. Use --append to add rows to tables that are not empty.');
      else
        ctx.output.done(
          `Added ${answer.rows} rows to ${database.environment}. To repeat this in an empty database: rowhouse seed --seed ${answer.seed}`,
        );
    });
    return answer.rows === 0 && answer.tables.some((table) => table.reason !== null) ? EXIT.failed : EXIT.ok;
  },
};

/** Replaces the name of a request member by the option that sets it. */
function nameOption(err: unknown): never {
  if (err instanceof CliError && err.body['needs'] === 'production')
    throw new CliError(err.message, {
      next: 'choose another database with -d, or use --production',
      body: err.body,
    });
  throw err;
}

function readRequest(ctx: Context): SeedRequest {
  const [rows, tables, seed] = [ctx.count('rows'), ctx.texts('table'), ctx.text('seed')];
  const starter = readStarter(ctx.text('starter'));
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(tables.length === 0 ? {} : { tables }),
    ...(seed === undefined ? {} : { seed }),
    ...(starter === undefined ? {} : { starter }),
    ...(ctx.is('append') ? { append: true } : {}),
    ...(ctx.is('production') ? { production: true } : {}),
  };
}

function readStarter(name: string | undefined): 'blog' | 'shop' | undefined {
  if (name === undefined || name === 'blog' || name === 'shop') return name;
  throw new CliError(`There is no starter ${name}`, { next: 'use --starter blog or --starter shop' });
}
