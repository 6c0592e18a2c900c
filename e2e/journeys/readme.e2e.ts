import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';
import { describe, expect, it } from 'vitest';
import { readProduct } from '../support/product.mjs';
import { findReadmeDifferences, readReadmeSteps } from '../support/read-readme.mjs';

const run = promisify(execFile);

describe('README.md', () => {
  const product = readProduct();
  const steps = readReadmeSteps();

  it('has curl lines', () => {
    expect(steps.length).toBeGreaterThan(6);
  });

  // In order: the first steps make what the later ones read.
  it.each(steps)('$command', async ({ command, answer }) => {
    const env = { PATH: process.env['PATH'], API: `${product.gateways[0]}/v1/-`, KEY: product.demo.api_key };
    const { stdout } = await run('sh', ['-c', command], { env });
    expect(findReadmeDifferences(answer, JSON.parse(stdout)), stdout).toEqual([]);
  });

  it('names files that are there', () => {
    for (const file of ['README.md', 'docs/architecture.md', 'docs/contributing.md', 'docs/operations.md', 'docs/adr/README.md']) {
      const text = readFileSync(join(rootDir, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)\)/g)) {
        if (!/^https?:/.test(target)) expect(existsSync(join(rootDir, dirname(file), target)), `${file} links to ${target}`).toBe(true);
      }
    }
  });

  it('can be contradicted', () => {
    expect(findReadmeDifferences({ a: '…', b: [1], t: '2026-01-31T09:00:00Z' }, { a: 'x', b: [1], t: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(findReadmeDifferences({ a: 1, b: [1] }, { a: 2, b: [1, 2], c: 3 })).toHaveLength(3);
  });
});
