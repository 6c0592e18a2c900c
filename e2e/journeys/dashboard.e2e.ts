import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { readProduct } from '../support/product.mjs';

const DASHBOARD = new URL('../../infra/grafana/rowhouse.json', import.meta.url);
const FUNCTIONS = new Set(['sum', 'max', 'by', 'rate', 'increase', 'histogram_quantile', 'le', 'status', 'server', 'state', 'reason', 'service']);

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** The metrics that a query reads. */
function namesIn(expr: string): string[] {
  return [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/[a-z][a-z0-9_]+/g)].map(([name]) => name).filter((name) => !FUNCTIONS.has(name));
}

describe('the dashboard', () => {
  const product = readProduct();
  let published = '';

  beforeAll(async () => {
    const person = await signUp(product.control);
    await openApi(product.gateways[0], person.key).get('/posts');
    published = (await Promise.all(Object.values(product.metricsUrls).map(async (url) => (await fetch(`${url}/metrics`)).text()))).join('\n');
  });

  it('reads metrics that the processes publish', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
    const isPublished = (name: string): boolean => published.includes(`# TYPE ${name.replace(/_bucket$/, '')} `);
    const missing = panels.flatMap(({ title, targets }) => targets.flatMap(({ expr }) => namesIn(expr)).filter((name) => !isPublished(name)).map((name) => `${title}: ${name}`));
    expect(panels.length).toBeGreaterThan(8);
    expect(missing).toEqual([]);
  });
});
