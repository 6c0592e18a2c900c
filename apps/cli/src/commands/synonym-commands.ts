import type { ListResponse, SynonymResponse } from '@rowhouse/contracts';
import { CliError } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { makeListCommand, ofProject } from '../list-command.js';

const pathOf = ofProject('synonyms');
const toMeaning = ({ table, column }: Pick<SynonymResponse, 'table' | 'column'>): string =>
  column === null ? table : `${table}.${column}`;

const list = makeListCommand<SynonymResponse>({
  name: 'synonyms list',
  about: 'List the synonyms for tables and columns in questions',
  examples: ['rowhouse synonyms list', 'rowhouse synonyms list --json'],
  path: pathOf,
  columns: {
    synonym: (synonym) => synonym.phrase,
    meaning: toMeaning,
    'in schema': (synonym) => synonym.is_known,
    id: (synonym) => synonym.id,
  },
  whenEmpty: 'Add a synonym with: rowhouse synonyms set WORDS TABLE',
});

/** Returns all current meanings of the words. */
async function findMeanings(
  ctx: Context,
  words: string,
): Promise<{ path: string; found: SynonymResponse[] }> {
  const path = await pathOf(ctx);
  const { items } = await ctx.api().get<ListResponse<SynonymResponse>>(path);
  const phrase = words.trim().toLowerCase().split(/\s+/).join(' ');
  return { path, found: items.filter((synonym) => synonym.phrase === phrase || synonym.id === words) };
}

const set: Command = {
  name: 'synonyms set',
  about: 'Set a synonym for a table or a column',
  args: 'WORDS TABLE[.COLUMN]',
  argsMin: 2,
  options: { also: { type: 'boolean', about: 'keep existing meanings of the words' } },
  examples: [
    'rowhouse synonyms set article posts',
    'rowhouse synonyms set "pen name" users.username',
    'rowhouse synonyms set writer users --also',
  ],
  run: async (ctx) => {
    const [words = '', meaning = ''] = ctx.args;
    const [table = '', ...rest] = meaning.split('.');
    const body = { phrase: words, table, column: rest.length === 0 ? null : rest.join('.') };
    const { path, found } = await findMeanings(ctx, words);
    const [only] = found;
    if (found.length > 1 && !ctx.is('also'))
      throw new CliError(`"${words}" has several meanings: ${found.map(toMeaning).join(', ')}.`, {
        next: `use --also to add another meaning, or remove one with rowhouse synonyms remove ${only?.id ?? 'ID'}`,
      });
    const same = found.find((synonym) => toMeaning(synonym) === meaning);
    const isChange = only !== undefined && !ctx.is('also');
    const answer =
      same ??
      (isChange
        ? await ctx
            .api()
            .patch<SynonymResponse>(`${path}/${only.id}`, { table: body.table, column: body.column })
        : await ctx.api().post<SynonymResponse>(path, body));
    ctx.output.result(answer, () => ctx.output.done(`"${answer.phrase}" now means ${toMeaning(answer)}.`));
  },
};

const remove: Command = {
  name: 'synonyms remove',
  about: 'Remove a synonym with all its meanings, or a single meaning by its id',
  args: 'WORDS|ID',
  argsMin: 1,
  examples: ['rowhouse synonyms remove article', 'rowhouse synonyms remove syn_…'],
  run: async (ctx) => {
    const [words = ''] = ctx.args;
    const { path, found } = await findMeanings(ctx, words);
    if (found.length === 0)
      throw new CliError(`Unknown synonym "${words}".`, {
        next: 'list all synonyms with rowhouse synonyms list',
      });
    for (const synonym of found) await ctx.api().delete(`${path}/${synonym.id}`);
    ctx.output.result({ removed: found }, () =>
      ctx.output.done(
        `Removed ${found.map((synonym) => `"${synonym.phrase}" for ${toMeaning(synonym)}`).join(', ')}.`,
      ),
    );
  },
};

export const synonymCommands: readonly Command[] = [list, set, remove];
