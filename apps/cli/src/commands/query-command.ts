import type { CreatedKeyResponse, DatabaseResponse } from '@rowhouse/contracts';
import { toCliError } from '../api/to-cli-error.js';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import type { Cell } from '../output/render-table.js';

const KEY_LIFE_MS = 5 * 60_000;

interface Verbose {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly { readonly name: string }[];
  readonly sql: string;
  readonly source?: string;
  readonly truncated?: boolean;
}

export const queryCommand: Command = {
  name: 'query',
  about: 'Query a database with SQL or a plain question',
  args: 'SQL|QUESTION',
  argsMin: 1,
  options: {
    param: {
      type: 'string',
      multiple: true,
      value: 'VALUE',
      about: 'the value of a ? in the SQL, as JSON or text; repeatable',
    },
    limit: { type: 'string', value: 'N', about: 'the maximum number of rows; default: 1,000' },
    key: { type: 'string', value: 'KEY', about: 'the API key (ROWHOUSE_KEY); default: a temporary key' },
  },
  examples: [
    "rowhouse query 'SELECT COUNT(*) AS posts FROM posts'",
    "rowhouse query 'SELECT * FROM posts WHERE user_id = ?' --param 1 --json",
    'rowhouse query "how many posts are there" -d production',
    'echo "SELECT 1" | rowhouse query -',
  ],
  run: async (ctx) => {
    const query = ctx.args[0] === '-' ? await ctx.environment.readInput() : (ctx.args[0] ?? '');
    const database = await ctx.database();
    const provided = ctx.text('key') ?? ctx.environment.env['ROWHOUSE_KEY'];
    const answer =
      provided === undefined
        ? await sendWithOwnKey(ctx, database, query)
        : await ask(ctx, database, provided, query);
    ctx.output.result(answer, () => {
      if (answer.source !== undefined && answer.source !== 'sql')
        ctx.output.note(ctx.output.style('dim', answer.sql));
      ctx.output.table(
        answer.columns.map((column) => column.name),
        answer.data.map((row) => answer.columns.map(({ name }) => toCell(row[name]))),
      );
      if (answer.truncated === true)
        ctx.output.warn('There are more rows. Use --limit to show up to 10,000.');
    });
  },
};

function toCell(value: unknown): Cell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
}

/** Revokes the key after the response, even when the query fails. */
async function sendWithOwnKey(ctx: Context, database: DatabaseResponse, query: string): Promise<Verbose> {
  const api = ctx.api();
  const key = await api.post<CreatedKeyResponse>(`/api/databases/${database.id}/keys`, {
    name: 'rowhouse query',
    scopes: ['read', 'query'],
    expires_at: new Date(Date.now() + KEY_LIFE_MS).toISOString(),
  });
  try {
    return await ask(ctx, database, key.secret, query);
  } finally {
    await api.delete(`/api/keys/${key.id}`);
  }
}

async function ask(ctx: Context, database: DatabaseResponse, key: string, query: string): Promise<Verbose> {
  const base = database.base_url.replace(/\/+$/, '');
  const url = `${base.endsWith('/v1/-') ? base : `${base}/v1/-`}/query`;
  const [params, limit] = [ctx.texts('param').map(readValue), ctx.count('limit')];
  const body = {
    query,
    verbose: true,
    ...(params.length === 0 ? {} : { params }),
    ...(limit === undefined ? {} : { limit }),
  };
  let res: Response;
  try {
    res = await ctx.environment.fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: ctx.environment.stopped,
    });
  } catch {
    throw new CliError(`Couldn't reach ${url}.`, {
      exitCode: EXIT.unreachable,
      next: 'check that the gateway is running and reachable',
    });
  }
  const text = await res.text();
  if (!res.ok) throw toCliError(res.status, text, url);
  return parseExactly(text) as Verbose;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Parses JSON and keeps a number as text if parsing would round it. This requires Node 22, which provides the
 * source text of numbers.
 */
function parseExactly(text: string): unknown {
  const keep = (_name: string, value: unknown, seen?: { readonly source?: string }): unknown =>
    typeof value === 'number' && seen?.source !== undefined && String(value) !== seen.source
      ? seen.source
      : value;
  return JSON.parse(text, keep as (name: string, value: unknown) => unknown) as unknown;
}
