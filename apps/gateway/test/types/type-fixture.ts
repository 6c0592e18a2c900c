import { expect } from 'vitest';
import { callGateway, type CallOptions, type TestResponse } from '../support/http-call.js';
import type { TestCell, TestTenant } from '../support/test-cell.js';
import { toComparable, type TypeCase, type Written } from './type-case.js';

/**
 * A tenant with the tables of the cases, its gateway, and an independent connection that reads stored values.
 */
export interface TypeFixture {
  readonly cell: TestCell;
  readonly tenant: TestTenant;
  readonly url: string;
}

/**
 * Has a second gateway, whose driver decodes the rows. Its responses are the reference for those of the first
 * gateway.
 */
export interface ColumnUseFixture extends TypeFixture {
  readonly driverUrl: string;
}

/** A stored value and the id of its row. */
export interface TypeRow {
  readonly id: number;
  readonly written: Written;
}

export function createTableStatements({ name, type, codePaths: uses }: TypeCase): string[] {
  const statements = [`CREATE TABLE v${name} (id int AUTO_INCREMENT PRIMARY KEY, v ${type} NULL)`];
  if (uses.includes('key'))
    statements.push(
      `CREATE TABLE k${name} (v ${type} NOT NULL, n int NOT NULL, note varchar(20), PRIMARY KEY (v, n))`,
      `CREATE TABLE s${name} (v ${type} NOT NULL PRIMARY KEY, note varchar(20))`,
    );
  if (uses.includes('foreign'))
    statements.push(
      `CREATE TABLE c${name} (id int AUTO_INCREMENT PRIMARY KEY, v ${type} NULL, CONSTRAINT fk_c${name} FOREIGN KEY (v) REFERENCES s${name} (v))`,
    );
  return statements;
}

export function send(
  bench: TypeFixture,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  return callGateway(bench.url, method, path.startsWith('/v1/-') ? path : `/v1/-${path}`, {
    key: bench.tenant.key,
    ...options,
  });
}

export async function expectStatus(
  bench: TypeFixture,
  status: number,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const response = await send(bench, method, path, options);
  expect(
    response.status,
    `${method} ${decodeURIComponent(path).slice(0, 300)} ${typeof options.body === 'string' ? options.body.slice(0, 300) : ''}: ${response.text.slice(0, 400)}`,
  ).toBe(status);
  return response;
}

/** Reads a path from both gateways, and expects the same bytes. */
export async function readByBoth(
  bench: ColumnUseFixture,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await expectStatus(bench, 200, 'GET', path, { headers });
  const driven = await send({ ...bench, url: bench.driverUrl }, 'GET', path, { headers });
  expect([driven.status, driven.text, driven.headers.get('etag')], `${path} read by the driver`).toEqual([
    response.status,
    response.text,
    response.headers.get('etag'),
  ]);
  return response;
}

/** Returns rows of the independent connection as strings. */
export function ask(bench: TypeFixture, sql: string): Promise<{ id: number; raw: string | null }[]> {
  return bench.cell.root.rows<{ id: number; raw: string | null }>(
    sql.replaceAll('{schema}', bench.tenant.schemaName),
  );
}

export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => Number(row.id)).sort((a, b) => a - b);
}

export function tableOf(entry: TypeCase, prefix: string): string {
  return `{schema}.${prefix}${entry.name}`;
}

export function expectSame(entry: TypeCase, actual: string, expected: string, where: string): void {
  expect(
    toComparable(actual, entry.compare),
    `${entry.name} ${where}: ${actual.slice(0, 200)} for ${expected.slice(0, 200)}`,
  ).toEqual(toComparable(expected, entry.compare));
}
