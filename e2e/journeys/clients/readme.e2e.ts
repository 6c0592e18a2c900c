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

  it('README.md contains curl commands with their responses', () => {
    expect(steps.length).toBeGreaterThan(6);
  });

  // The steps run in order, because later steps read what the first ones create.
  it.each(steps)('README.md shows the response of: $command', async ({ command, answer }) => {
    const env = {
      PATH: process.env['PATH'],
      API: `${product.gateways[0]}/v1/-`,
      KEY: product.demo.api_key,
    };
    const { stdout } = await run('sh', ['-c', command], { env });
    expect(findReadmeDifferences(answer, JSON.parse(stdout)), stdout).toEqual([]);
  });

  it('every link in the documentation leads to an existing file and heading', () => {
    const broken = listDocuments().flatMap((file) => listBrokenLinks(file));
    expect(broken).toEqual([]);
  });

  it('findReadmeDifferences reports a response that differs from README.md', () => {
    expect(
      findReadmeDifferences(
        { a: '…', b: [1], t: '2026-01-31T09:00:00Z' },
        { a: 'x', b: [1], t: '2020-01-01T00:00:00Z' },
      ),
    ).toEqual([]);
    expect(findReadmeDifferences({ a: 1, b: [1] }, { a: 2, b: [1, 2], c: 3 })).toHaveLength(3);
  });
});
