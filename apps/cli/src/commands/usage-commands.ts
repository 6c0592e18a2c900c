import type { InsightsResponse, RequestItem, UsageResponse } from '@rowhouse/contracts';
import type { Command } from '../command.js';
import { makeListCommand, ofDatabase } from '../list-command.js';

const usage: Command = {
  name: 'usage',
  about: 'Show the requests, errors, rows and bytes of a database',
  examples: ['rowhouse usage', 'rowhouse usage -d production --json'],
  run: async (ctx) => {
    const answer = await ctx.api().get<UsageResponse>(await ofDatabase('usage')(ctx));
    ctx.output.result(answer, () => {
      ctx.output.line(`${answer.from} to ${answer.to}`);
      ctx.output.table(
        ['metric', 'count'],
        [
          ...Object.entries(answer.totals).filter(
            (entry): entry is [string, number] => typeof entry[1] === 'number',
          ),
          ['storage bytes', answer.storage.bytes],
        ],
      );
    });
  },
};

const requests = makeListCommand<RequestItem>({
  name: 'requests',
  about: 'List recent requests to the data API of a database',
  examples: ['rowhouse requests', 'rowhouse requests -d production --json'],
  path: ofDatabase('requests'),
  columns: {
    at: (request) => request.at,
    method: (request) => request.method,
    route: (request) => request.route,
    status: (request) => request.status,
    code: (request) => request.code,
    ms: (request) => request.duration_ms,
    request: (request) => request.request_id,
  },
});

const insights: Command = {
  name: 'insights',
  about: 'Show slow, failing and rejected routes of the last hours',
  examples: ['rowhouse insights -d production'],
  run: async (ctx) => {
    const answer = await ctx.api().get<InsightsResponse>(await ofDatabase('insights')(ctx));
    ctx.output.result(answer, () =>
      ctx.output.table(
        ['route', 'requests', 'errors', 'rejected', 'p50 ms', 'p95 ms'],
        answer.routes.map((routeInsight) => [
          routeInsight.route,
          routeInsight.requests,
          routeInsight.errors,
          routeInsight.refused,
          routeInsight.p50_ms,
          routeInsight.p95_ms,
        ]),
      ),
    );
  },
};

export const usageCommands: readonly Command[] = [usage, requests, insights];
