import type { InsightsAnswer, ListAnswer, RequestItem, UsageAnswer } from '@rowhouse/contracts';
import type { Command } from '../command.js';

const usage: Command = {
  name: 'usage',
  about: 'Requests, errors, rows and bytes of a database',
  examples: ['rowhouse usage', 'rowhouse usage -d production --json'],
  run: async (ctx) => {
    const answer = await ctx.api().get<UsageAnswer>(`/api/databases/${(await ctx.database()).id}/usage`);
    ctx.output.result(answer, () => {
      ctx.output.line(`${answer.from} to ${answer.to}`);
      ctx.output.table(['what', 'count'], [...Object.entries(answer.totals).filter((entry): entry is [string, number] => typeof entry[1] === 'number'), ['storage bytes', answer.storage.bytes]]);
    });
  },
};

const requests: Command = {
  name: 'requests',
  about: 'The newest requests to the data API of a database',
  examples: ['rowhouse requests', 'rowhouse requests -d production --json'],
  run: async (ctx) => {
    const { items } = await ctx.api().get<ListAnswer<RequestItem>>(`/api/databases/${(await ctx.database()).id}/requests`);
    ctx.output.result(items, () => ctx.output.table(['at', 'method', 'route', 'status', 'code', 'ms', 'request'], items.map((one) => [one.at, one.method, one.route, one.status, one.code, one.duration_ms, one.request_id])));
  },
};

const insights: Command = {
  name: 'insights',
  about: 'Slow, failing and refused routes of the last hours',
  examples: ['rowhouse insights -d production'],
  run: async (ctx) => {
    const answer = await ctx.api().get<InsightsAnswer>(`/api/databases/${(await ctx.database()).id}/insights`);
    ctx.output.result(answer, () => ctx.output.table(['route', 'requests', 'errors', 'refused', 'p50 ms', 'p95 ms'], answer.routes.map((one) => [one.route, one.requests, one.errors, one.refused, one.p50_ms, one.p95_ms])));
  },
};

export const usageCommands: readonly Command[] = [usage, requests, insights];
