import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

const DASHBOARD = new URL('../../../infra/grafana/rowhouse.json', import.meta.url);
const DOCUMENT = new URL('../../../docs/metrics.md', import.meta.url);
const FUNCTIONS = new Set([
  'sum',
  'max',
  'by',
  'rate',
  'increase',
  'histogram_quantile',
  'le',
  'status',
  'server',
  'state',
  'reason',
  'service',
  'kind',
  'end',
]);
/** Matches the default metrics that prom-client collects in every Node process. */
const OF_NODE = /^(?:nodejs_|process_(?!ready_))/;

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** Returns the metrics in a query. */
function namesIn(expr: string): string[] {
  return [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/[a-z][a-z0-9_]+/g)]
    .map(([name]) => name)
    .filter((name) => !FUNCTIONS.has(name));
}

/** Returns `name type` for each row below a heading of docs/metrics.md. */
function listDocumented(heading: string): string[] {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, name = '', type = '']) => `${name} ${type}`,
  );
}

describe('metrics', () => {
  const product = readProduct();
  const published = new Map<string, string>();

  beforeAll(async () => {
    const user = await signUp(product.control);
    await openApi(product.gateways[0], user.key).get('/posts');
    for (const [name, url] of Object.entries(product.metricsUrls))
      published.set(name, await (await fetch(`${url}/metrics`)).text());
  });

  it('each metric of the Grafana dashboard is published by a process', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
    const all = [...published.values()].join('\n');
    const isPublished = (name: string): boolean => all.includes(`# TYPE ${name.replace(/_bucket$/, '')} `);
    const missing = panels.flatMap(({ title, targets }) =>
      targets
        .flatMap(({ expr }) => namesIn(expr))
        .filter((name) => !isPublished(name))
        .map((name) => `${title}: ${name}`),
    );
    expect(panels.length).toBeGreaterThan(8);
    expect(missing).toEqual([]);
  });

  it.each(['gateway', 'control-plane', 'migration-worker'])(
    'docs/metrics.md lists all metrics of the %s with their types',
    (service) => {
      const own = [...(published.get(service) ?? '').matchAll(/^# TYPE (\w+) (\w+)$/gm)]
        .filter(([, name = '']) => !OF_NODE.test(name))
        .map(([, name = '', type = '']) => `${name} ${type}`);
      expect(own.length).toBeGreaterThan(3);
      expect(own.sort()).toEqual([...listDocumented('All processes'), ...listDocumented(service)].sort());
    },
  );
});
