import { expect } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { addressAll, includeAll } from './key-uses.js';
import {
  memberText,
  memberTexts,
  toAddressText,
  toComparable,
  type TypeCase,
  type Written,
} from './type-case.js';
import {
  ask,
  createTableStatements,
  expectSame,
  expectStatus,
  idsOf,
  readByBoth,
  tableOf,
  type ColumnUseFixture,
  type TypeFixture,
  type TypeRow,
} from './type-fixture.js';

/**
 * Writes the values, checks them in the database, and reads them in all formats. This must succeed for all
 * types on all engines.
 */
export async function writeAndRead(
  bench: ColumnUseFixture,
  entry: TypeCase,
  written: readonly Written[],
): Promise<void> {
  await ask(bench, `DELETE FROM ${tableOf(entry, 'v')}`);
  await readAll(bench, entry, await writeAll(bench, entry, written));
}

/** Tests every feature of one type with one set of values. */
export async function checkColumnUses(
  bench: ColumnUseFixture,
  entry: TypeCase,
  written: readonly Written[],
): Promise<void> {
  for (const prefix of ['c', 's', 'k', 'v'].filter((item) =>
    createTableStatements(entry).some((sql) => sql.startsWith(`CREATE TABLE ${item}`)),
  ))
    await ask(bench, `DELETE FROM ${tableOf(entry, prefix)}`);
  const rows = await writeAll(bench, entry, written);
  await checkStoredColumnUses(bench, entry, rows);
  const { codePaths: uses } = entry;
  if (uses.includes('key')) await addressAll(bench, entry, written);
  if (uses.includes('foreign')) await includeAll(bench, entry, written);
  await tagAll(bench, entry, rows);
}

/** Tests the features of values that are already stored. One additional row is NULL. */
export async function checkStoredColumnUses(
  bench: ColumnUseFixture,
  entry: TypeCase,
  rows: readonly TypeRow[],
): Promise<void> {
  await readAll(bench, entry, rows);
  const { codePaths: uses } = entry;
  if (uses.includes('equal') || uses.includes('scalar')) await filterEqual(bench, entry, rows);
  if (uses.includes('null'))
    for (const isNull of [true, false])
      await expectFound(
        bench,
        entry,
        `v__isnull=${isNull}`,
        `SELECT id FROM ${tableOf(entry, 'v')} WHERE v IS ${isNull ? '' : 'NOT '}NULL`,
      );
  if (uses.includes('order')) await filterOrder(bench, entry, rows);
  if (uses.includes('sort')) await sortAll(bench, entry);
  if (uses.includes('cursor')) await walkCursor(bench, entry);
}

async function writeAll(
  bench: TypeFixture,
  entry: TypeCase,
  written: readonly Written[],
): Promise<TypeRow[]> {
  const body = `[${written.map(({ json }) => `{"v":${json}}`).join(',')},{"v":null}]`;
  const response = await expectStatus(bench, 201, 'POST', `/v${entry.name}`, { body });
  const ids = memberTexts(response.text, 'id').map(Number);
  memberTexts(response.text, 'v').forEach((text, index) =>
    expectSame(entry, text, written[index]?.read ?? 'null', 'answer of the create'),
  );
  const stored = new Map(
    (await ask(bench, `SELECT id, ${entry.raw} AS raw FROM ${tableOf(entry, 'v')} WHERE v IS NOT NULL`)).map(
      (row) => [Number(row.id), row.raw === null ? null : String(row.raw)],
    ),
  );
  const rows = written.map((item, index) => ({ id: ids[index] ?? 0, written: item }));
  for (const { id, written: item } of rows) {
    if (entry.raw === 'CAST(v AS DOUBLE)')
      expect(Number(stored.get(id)), `${entry.name} stored of ${item.json}`).toBe(Number(item.raw));
    else if (entry.compare !== 'json')
      expect(stored.get(id), `${entry.name} stored of ${item.json}`).toBe(item.raw);
  }
  return rows;
}

/** The types whose numbers are strings with `numbers=string`, as docs/api/types.md lists them. */
const QUOTED_TYPE = /^(bigint|decimal|bit\((5[4-9]|6\d)\))/i;

async function readAll(bench: ColumnUseFixture, entry: TypeCase, rows: readonly TypeRow[]): Promise<void> {
  const list = await readByBoth(bench, `/v${entry.name}`);
  await readByBoth(bench, `/v${entry.name}?_select=*,_etag`);
  await readByBoth(bench, `/v${entry.name}`, { accept: 'text/csv' });
  await readByBoth(bench, `/v${entry.name}`, { accept: 'text/csv', prefer: 'csv-formulas=escape' });
  const texts = memberTexts(list.text, 'v');
  expect(texts).toHaveLength(rows.length + 1);
  rows.forEach((row, index) => expectSame(entry, texts[index] ?? '', row.written.read, 'list'));
  const stream = await readByBoth(bench, `/v${entry.name}`, { accept: 'application/x-ndjson' });
  expect(
    stream.text
      .trimEnd()
      .split('\n')
      .map((line) => toComparable(line, entry.compare)),
    `${entry.name} stream`,
  ).toEqual(toComparable(list.text, entry.compare));
  const first = rows[0];
  if (first === undefined) return;
  const response = await readByBoth(bench, `/v${entry.name}/${first.id}`);
  expectSame(entry, memberText(response.text, 'v'), first.written.read, 'record');
  const strings = await readByBoth(bench, `/v${entry.name}/${first.id}`, { prefer: 'numbers=string' });
  const asString = memberText(strings.text, 'v');
  if (!/^-?\d/.test(first.written.read)) return;
  const isText = QUOTED_TYPE.test(entry.type);
  expect(asString.startsWith('"'), `${entry.name} with numbers=string: ${asString}`).toBe(isText);
  expectSame(
    entry,
    isText ? (JSON.parse(asString) as string) : asString,
    first.written.read,
    'record with numbers=string',
  );
}

/** Selects the rows that the engine itself considers equal to the value of a row. */
function equals(entry: TypeCase, id: number, operator = '='): string {
  return `SELECT id FROM ${tableOf(entry, 'v')} WHERE ${entry.subject ?? 'v'} ${operator} ${valueOf(entry, id)}`;
}

function valueOf(entry: TypeCase, id: number): string {
  return `(SELECT ${entry.subject ?? 'v'} FROM ${tableOf(entry, 'v')} WHERE id = ${id})`;
}

async function expectFound(bench: TypeFixture, entry: TypeCase, query: string, sql: string): Promise<void> {
  const response = await expectStatus(bench, 200, 'GET', `/v${entry.name}?_select=id&${query}`);
  expect(idsOf(response.json), `${entry.name} ${decodeURIComponent(query)}`).toEqual(
    idsOf(await ask(bench, sql)),
  );
}

async function filterEqual(bench: TypeFixture, entry: TypeCase, rows: readonly TypeRow[]): Promise<void> {
  for (const { id, written } of rows) {
    const text = encodeURIComponent(toAddressText(written.read));
    await expectFound(bench, entry, `v=${text}`, equals(entry, id));
    await expectFound(bench, entry, `v__ne=${text}`, equals(entry, id, '<>'));
  }
  if (!entry.codePaths.includes('equal')) return;
  const some = rows.slice(0, 3);
  const list = encodeURIComponent(JSON.stringify(some.map(({ written }) => toAddressText(written.read))));
  // The conditions are joined with OR or AND. IN (SELECT …) is avoided, because engines evaluate it in
  // special ways.
  const each = (operator: string, joint: string): string =>
    some.map(({ id }) => `${entry.subject ?? 'v'} ${operator} ${valueOf(entry, id)}`).join(` ${joint} `);
  await expectFound(
    bench,
    entry,
    `v__in=${list}`,
    `SELECT id FROM ${tableOf(entry, 'v')} WHERE ${each('=', 'OR')}`,
  );
  await expectFound(
    bench,
    entry,
    `v__not_in=${list}`,
    `SELECT id FROM ${tableOf(entry, 'v')} WHERE ${each('<>', 'AND')}`,
  );
  await expectFound(bench, entry, 'v__isnull=true', `SELECT id FROM ${tableOf(entry, 'v')} WHERE v IS NULL`);
}

async function filterOrder(bench: TypeFixture, entry: TypeCase, rows: readonly TypeRow[]): Promise<void> {
  for (const { id, written } of rows) {
    const text = encodeURIComponent(toAddressText(written.read));
    for (const [name, sign] of [
      ['gt', '>'],
      ['gte', '>='],
      ['lt', '<'],
      ['lte', '<='],
    ] as const)
      await expectFound(bench, entry, `v__${name}=${text}`, equals(entry, id, sign));
  }
  const [low, high] = [rows[0], rows.at(-1)];
  if (low === undefined || high === undefined) return;
  const bounds = encodeURIComponent(
    JSON.stringify([low, high].map(({ written }) => toAddressText(written.read))),
  );
  await expectFound(
    bench,
    entry,
    `v__between=${bounds}`,
    `SELECT id FROM ${tableOf(entry, 'v')} WHERE ${entry.subject ?? 'v'} BETWEEN ${valueOf(entry, low.id)} AND ${valueOf(entry, high.id)}`,
  );
}

async function engineOrder(bench: TypeFixture, entry: TypeCase, direction: string): Promise<number[]> {
  return (
    await ask(
      bench,
      `SELECT id FROM ${tableOf(entry, 'v')} ORDER BY ${entry.order ?? 'v'} ${direction}, id ${direction}`,
    )
  ).map((row) => Number(row.id));
}

async function sortAll(bench: TypeFixture, entry: TypeCase): Promise<void> {
  for (const [sign, direction] of [
    ['', 'ASC'],
    ['-', 'DESC'],
  ] as const) {
    const response = await expectStatus(bench, 200, 'GET', `/v${entry.name}?_select=id&sort=${sign}v`);
    expect(
      response.json.map((row: { id: number }) => row.id),
      `${entry.name} sort=${sign}v`,
    ).toEqual(await engineOrder(bench, entry, direction));
  }
}

/** Walks through the list forward and back, three records at a time. */
async function walkCursor(bench: TypeFixture, entry: TypeCase): Promise<void> {
  if (!entry.codePaths.includes('sort')) return;
  for (const [sign, direction] of [
    ['', 'ASC'],
    ['-', 'DESC'],
  ] as const) {
    const expected = await engineOrder(bench, entry, direction);
    const path = `/v${entry.name}?_select=id&limit=3&sort=${sign}v&_cursor=`;
    const seen: number[] = [];
    let back = '';
    for (let cursor: string | null = ''; cursor !== null;) {
      const response: TestResponse = await expectStatus(bench, 200, 'GET', path + cursor);
      seen.push(...response.json.map((row: { id: number }) => row.id));
      expect(seen.length, `${entry.name} walks on for ever`).toBeLessThanOrEqual(expected.length);
      back = /<([^>]+)>; rel="prev"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
      cursor = response.headers.get('x-next-cursor');
    }
    expect(seen, `${entry.name} by cursor`).toEqual(expected);
    const removed: number[] = [];
    while (back !== '') {
      const response = await expectStatus(bench, 200, 'GET', back);
      removed.unshift(...response.json.map((row: { id: number }) => row.id));
      back = /<([^>]+)>; rel="prev"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
      expect(removed.length, `${entry.name} walks back for ever`).toBeLessThanOrEqual(expected.length);
    }
    expect(removed, `${entry.name} back by cursor`).toEqual(expected.slice(0, removed.length));
    expect(removed.length).toBeGreaterThanOrEqual(Math.max(0, expected.length - 3));
  }
}

/** Tests that the ETag changes if and only if the record changes. */
async function tagAll(bench: TypeFixture, entry: TypeCase, rows: readonly TypeRow[]): Promise<void> {
  for (const { id, written } of rows.slice(0, 4)) {
    const path = `/v${entry.name}/${id}`;
    const before = (await expectStatus(bench, 200, 'GET', path)).headers.get('etag') ?? '';
    const retained = await expectStatus(bench, 200, 'PUT', path, {
      body: `{"v":${written.json}}`,
      headers: { 'if-match': before },
    });
    expect(retained.headers.get('etag'), `${entry.name} the same value again`).toBe(before);
    expectSame(entry, memberText(retained.text, 'v'), written.read, 'answer of the update');
    await expectStatus(bench, 304, 'GET', path, { headers: { 'if-none-match': before } });
    const emptied = await expectStatus(bench, 200, 'PATCH', path, {
      body: '{"v":null}',
      headers: { 'if-match': before },
    });
    expect(emptied.headers.get('etag')).not.toBe(before);
    await expectStatus(bench, 412, 'PATCH', path, { body: '{"v":null}', headers: { 'if-match': before } });
    const secondResponse = await expectStatus(bench, 200, 'PATCH', path, { body: `{"v":${written.json}}` });
    expect(secondResponse.headers.get('etag'), `${entry.name} back again`).toBe(before);
  }
}
