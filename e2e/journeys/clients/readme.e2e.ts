import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readProduct } from '../../support/product.mjs';
import { listBrokenLinks, listDocuments } from '../../support/code/list-broken-links.mjs';
import { findReadmeDifferences, readReadmeSteps } from '../../support/code/read-readme.mjs';

const run = promisify(execFile);

describe('README.md', () => {
  const product = readProduct();
  const steps = readReadmeSteps();

  it('the page has curl commands', () => {
    expect(steps.length).toBeGreaterThan(6);
  });

  // In order, because the first steps create what the later ones read.
  it.each(steps)('$command', async ({ command, answer }) => {
    const env = { PATH: process.env['PATH'], API: `${product.gateways[0]}/v1/-`, KEY: product.demo.api_key };
    const { stdout } = await run('sh', ['-c', command], { env });
    expect(findReadmeDifferences(answer, JSON.parse(stdout)), stdout).toEqual([]);
  });

  it('every document links to files and headings that exist', () => {
    const broken = listDocuments().flatMap((file) => listBrokenLinks(file));
    expect(broken).toEqual([]);
  });

  it('a wrong response is noticed', () => {
    expect(
      findReadmeDifferences(
        { a: '…', b: [1], t: '2026-01-31T09:00:00Z' },
        { a: 'x', b: [1], t: '2020-01-01T00:00:00Z' },
      ),
    ).toEqual([]);
    expect(findReadmeDifferences({ a: 1, b: [1] }, { a: 2, b: [1, 2], c: 3 })).toHaveLength(3);
  });
});
