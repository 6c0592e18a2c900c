import type { SeedAnswer, SeedRequest } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';

export const seedCommand: Command = {
  name: 'seed',
  about: 'Fill empty tables with sample rows that look like their columns',
  options: {
    rows: { type: 'string', value: 'N', about: 'for each table; 20 unless said, 1,000 at most' },
    table: { type: 'string', multiple: true, value: 'TABLE', about: 'only this table; again for more' },
    seed: { type: 'string', value: 'TEXT', about: 'another text makes other rows; the same one the same rows, on one day' },
    append: { type: 'boolean', about: 'tables that have rows get more' },
    production: { type: 'boolean', about: 'needed where the environment serves users' },
  },
  examples: ['rowhouse seed', 'rowhouse seed --rows 200 --table authors --table books', 'rowhouse seed -d development --seed demo --json'],
  notes: 'Keys point at rows that are there, tables in the order that takes; checks are kept where they can be understood. All rows come\nin or none; what a table does not take is told, and the exit code says so.',
  run: async (ctx) => {
    const request = readRequest(ctx);
    const database = await ctx.database();
    ctx.output.progress(`making rows for ${database.environment}`);
    const answer = await ctx.api().post<SeedAnswer>(`/api/databases/${database.id}/seed`, request).catch(nameOption);
    ctx.output.result(answer, () => {
      ctx.output.table(['table', 'rows', 'why not more'], answer.tables.map((table) => [table.name, table.rows, table.reason]));
      if (answer.tables.length === 0) ctx.output.note('The database has no tables yet: rowhouse schema deploy FILE');
      else if (answer.rows === 0) ctx.output.warn('No row was made. --append adds to tables that have rows.');
      else ctx.output.done(`${answer.rows} rows in ${database.environment}. The same again in an empty database: rowhouse seed --seed ${answer.seed}`);
    });
    return answer.rows === 0 && answer.tables.some((table) => table.reason !== null) ? EXIT.failed : EXIT.ok;
  },
};

/** Replaces the name of a request member by the option that sets it. */
function nameOption(err: unknown): never {
  if (err instanceof CliError && err.body['needs'] === 'production') throw new CliError(err.message, { next: 'another database with -d, or --production to say that it is meant', body: err.body });
  throw err;
}

function readRequest(ctx: Context): SeedRequest {
  const [rows, tables, seed] = [ctx.count('rows'), ctx.texts('table'), ctx.text('seed')];
  return {
    ...(rows === undefined ? {} : { rows }), ...(tables.length === 0 ? {} : { tables }), ...(seed === undefined ? {} : { seed }),
    ...(ctx.is('append') ? { append: true } : {}), ...(ctx.is('production') ? { production: true } : {}),
  };
}
