import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnection, deploy, signUp, type TestUser } from '../../support/control.mjs';
import { EVERY_TYPE_TABLE, TYPE_CASES, everyTypeSql } from '../../support/schemas/every-type.mjs';
import { openApi, type HttpResponse, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/** Returns the text of one member's value in a flat JSON object, with unchanged digits. */
function memberText(json: string, member: string): string | undefined {
  const index = json.indexOf(`"${member}":`);
  if (index < 0) return undefined;
  const start = index + member.length + 3;
  for (let end = start + 1; end <= json.length; end += 1) {
    if (json[end] !== ',' && json[end] !== '}') continue;
    const candidate = json.slice(start, end);
    try {
      JSON.parse(candidate);
      return candidate;
    } catch {
      // This comma or brace is inside the value, so the next one is tried.
    }
  }
  return undefined;
}

const isNumber = (json: string): boolean => /^-?\d/.test(json);

describe(`a table of ${TYPE_CASES.length + 1} columns, one per type`, () => {
  const product = readProduct();
  const path = `/${EVERY_TYPE_TABLE.replaceAll('_', '-')}`;
  let user: TestUser;
  let api: Api;
  let direct: mysql.Connection;

  beforeAll(async () => {
    user = await signUp(product.control, { starter: 'empty' });
    await deploy(user, everyTypeSql());
    api = openApi(product.gateways[0], user.key);
    for (const base of product.gateways)
      await waitFor(
        'the table is served',
        async () => (await openApi(base, user.key).get(path)).status === 200,
      );
    direct = await mysql.createConnection(
      (await createConnection(user, { name: 'direct', role: 'read-write' })).connection_string,
    );
    await direct.query("SET time_zone = '+00:00'");
  });

  afterAll(() => direct?.destroy());

  const stored = async (
    id: number,
    column: string,
    select = `CAST(\`${column}\` AS CHAR)`,
  ): Promise<string | null> => {
    const [rows] = await direct.query(`SELECT ${select} AS v FROM ${EVERY_TYPE_TABLE} WHERE id = ?`, [id]);
    const value = (rows as { v: unknown }[])[0]?.v;
    return value === null || value === undefined ? null : String(value);
  };

  const expectMember = (response: HttpResponse, column: string, expected: string): void => {
    const seen = memberText(response.text, column);
    if (isNumber(expected))
      expect(Number(seen), `${column} ${response.text.slice(0, 200)}`).toBe(Number(expected));
    else expect(JSON.parse(seen ?? 'null'), column).toEqual(JSON.parse(expected));
    // Integers and decimals must have exactly the same digits. A floating-point number may be written
    // differently.
    if (isNumber(expected) && !/float|double/.test(column)) expect(seen, column).toBe(expected);
  };

  it.each(TYPE_CASES)(
    '$column $type: a written value is stored and returned unchanged',
    async ({ column, values, select }) => {
      for (const { write, read = write, stored: expected } of values) {
        const written = await api.call('POST', path, { body: `{"${column}":${write}}` });
        expect(written.status, `${column} ${write.slice(0, 100)}: ${written.text.slice(0, 300)}`).toBe(201);
        expectMember(written, column, read);
        const id = written.json.id as number;
        const inDatabase = await stored(id, column, select);
        if (/float|double/.test(column)) expect(Number(inDatabase), column).toBe(Number(expected));
        else if (column === 'c_json')
          expect(JSON.parse(String(inDatabase))).toEqual(JSON.parse(String(expected)));
        else expect(inDatabase, column).toBe(expected);
        expectMember(await api.get(`${path}/${id}`), column, read);
        const listed = await openApi(product.gateways[1], user.key).get(`${path}?id=${id}`);
        expect(listed.json).toHaveLength(1);
        expectMember({ ...listed, text: listed.text.slice(1, -1) }, column, read);
        const updated = await api.call('PUT', `${path}/${id}`, { body: `{"${column}":null}` });
        expect(updated.status, updated.text).toBe(200);
        expect(updated.json[column]).toBeNull();
        expect(await stored(id, column, select)).toBeNull();
        const back = await api.call('PUT', `${path}/${id}`, { body: `{"${column}":${write}}` });
        expectMember(back, column, read);
      }
    },
  );

  it.each(TYPE_CASES.filter((entry) => entry.refused.length > 0))(
    '$column $type: an invalid value is rejected, and the error names the column',
    async ({ column, refused: rejected }) => {
      for (const body of rejected) {
        const response = await api.call('POST', path, { body: `{"${column}":${body}}` });
        expect(
          { body: body.slice(0, 60), status: response.status, code: response.json?.code },
          response.text.slice(0, 300),
        ).toEqual({ body: body.slice(0, 60), status: 422, code: 'body.invalid' });
        expect(response.json.detail[0].loc, body.slice(0, 60)).toEqual(['body', column]);
      }
    },
  );

  it('a list can be filtered and sorted by columns of every sortable type', async () => {
    for (const { column, values } of TYPE_CASES.filter(
      (entry) => !/json|float|longtext|c_text|blob|binary|set|bit/.test(entry.column),
    )) {
      const { write, read = write } = values[0] ?? { write: 'null' };
      const plain: unknown = isNumber(read) ? read : JSON.parse(read);
      const response = await api.get(`${path}?${column}=${encodeURIComponent(String(plain))}`);
      expect(response.status, `${column}: ${response.text.slice(0, 300)}`).toBe(200);
      expect(response.json.length, column).toBeGreaterThan(0);
      expect((await api.get(`${path}?sort=${column}&order=desc&limit=3`)).status, column).toBe(200);
    }
  });

  it('the query endpoint returns the same values of every type as the table endpoint', async () => {
    const rows = await api.query(`SELECT * FROM ${EVERY_TYPE_TABLE} ORDER BY id`);
    const list = await api.get(`${path}?sort=id`);
    expect(rows.status, rows.text.slice(0, 300)).toBe(200);
    expect(rows.json.length).toBe(list.json.length);
    for (const column of ['c_bigint', 'c_varchar', 'c_datetime6', 'c_decimal', 'c_date', 'c_uuid']) {
      expect(rows.json.map((row: Record<string, unknown>) => row[column])).toEqual(
        list.json.map((row: Record<string, unknown>) => row[column]),
      );
    }
  });

  it('/schema describes each column type', async () => {
    const table = (await api.get('/schema')).json.tables[0];
    expect(table.columns).toHaveLength(TYPE_CASES.length + 1);
    expect(table.columns.find((column: { name: string }) => column.name === 'c_enum').enum).toEqual([
      'small',
      "it's, large",
      '',
    ]);
    expect(table.columns.find((column: { name: string }) => column.name === 'c_varchar').max_length).toBe(
      100,
    );
  });
});
