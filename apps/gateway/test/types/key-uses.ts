import { expect } from 'vitest';
import type { TestCell } from '../support/test-cell.js';
import { memberText, toAddressText, type TypeCase, type Written } from './type-case.js';
import { expectSame, expectStatus, send, type TypeFixture } from './type-fixture.js';

/**
 * Tests the type as part of a composite key and as the whole key: create, read at Location, update and
 * delete.
 */
export async function addressAll(
  bench: TypeFixture,
  entry: TypeCase,
  written: readonly Written[],
): Promise<void> {
  for (const item of written) {
    const segment = encodeURIComponent(toAddressText(item.read));
    const isAddressable = !['', '.', '..'].includes(toAddressText(item.read));
    for (const [table, more, path] of [
      ['k', ',"n":7', `${segment},7`],
      ['s', '', segment],
    ] as const) {
      if (table === 's' && !isAddressable) continue;
      const created = await send(bench, 'POST', `/${table}${entry.name}`, {
        body: `{"v":${item.json}${more}}`,
      });
      if (created.status === 409) continue;
      expect(created.status, `${entry.name} key ${item.json}: ${created.text.slice(0, 300)}`).toBe(201);
      expectSame(entry, memberText(created.text, 'v'), item.read, 'key of a created record');
      const found = await expectStatus(bench, 200, 'GET', created.headers.get('location') ?? '');
      expectSame(entry, memberText(found.text, 'v'), item.read, 'key');
      await expectStatus(bench, 200, 'PATCH', `/${table}${entry.name}/${path}`, {
        body: `{"note":"changed","v":${item.json}}`,
        headers: { 'if-match': found.headers.get('etag') ?? '' },
      });
      await expectStatus(bench, 412, 'DELETE', `/${table}${entry.name}/${path}`, {
        headers: { 'if-match': found.headers.get('etag') ?? '' },
      });
      if (table === 's' && entry.codePaths.includes('foreign')) continue;
      await expectStatus(bench, 204, 'DELETE', `/${table}${entry.name}/${path}`);
      await expectStatus(bench, 404, 'GET', `/${table}${entry.name}/${path}`);
    }
  }
}

/** Tests a foreign key of the type in both directions. */
export async function includeAll(
  bench: TypeFixture,
  entry: TypeCase,
  written: readonly Written[],
): Promise<void> {
  const parents = (await expectStatus(bench, 200, 'GET', `/s${entry.name}`)).json.length as number;
  const usable = written.filter((item) => !['', '.', '..'].includes(toAddressText(item.read)));
  await expectStatus(bench, 201, 'POST', `/c${entry.name}`, {
    body: `[${[...usable, ...usable].map(({ json }) => `{"v":${json}}`).join(',')},{"v":null}]`,
  });
  const name = await parentName(bench, entry);
  const children = await expectStatus(bench, 200, 'GET', `/c${entry.name}?include=${name}&limit=1000`);
  expect(children.json).toHaveLength(usable.length * 2 + 1);
  for (const child of children.json)
    expect(child[name] === null, `${entry.name} parent of ${JSON.stringify(child)}`).toBe(
      child.v === null && !(name === 'v'),
    );
  const back = await expectStatus(
    bench,
    200,
    'GET',
    `/s${entry.name}?include=c${entry.name}&include[c${entry.name}][limit]=1000`,
  );
  expect(back.json).toHaveLength(parents);
  const counted = (back.json as Record<string, unknown[]>[]).reduce(
    (sum, record) => sum + (record[`c${entry.name}`]?.length ?? 0),
    0,
  );
  expect(counted, `${entry.name} children of all parents`).toBe(usable.length * 2);
}

type NamedTables = readonly { name: string; relationships: { name: string; kind: string }[] }[];
/**
 * The schemas by cell. A schema has hundreds of tables and is the same for all types, so it is loaded once.
 */
const schemas = new WeakMap<TestCell, Promise<NamedTables>>();

/**
 * Returns the name of the relationship to the parent. It is the long name, because the short one is the name
 * of a column.
 */
async function parentName(bench: TypeFixture, entry: TypeCase): Promise<string> {
  const tables =
    schemas.get(bench.cell) ??
    expectStatus(bench, 200, 'GET', '/schema').then((response) => response.json.tables as NamedTables);
  schemas.set(bench.cell, tables);
  return (
    (await tables)
      .find((item) => item.name === `c${entry.name}`)
      ?.relationships.find((item) => item.kind === 'to_one')?.name ?? ''
  );
}
