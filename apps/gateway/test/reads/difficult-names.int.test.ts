import { isLegal, listAwkwardNames } from '@rowhouse/schema-model/testing';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const COLUMNS_PER_TABLE = 60;
/** The test uses one in this number of names, so that it takes only seconds. */
const STEP = 12;

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const part = (key: string, value: string): string =>
  `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'columns with difficult names on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: [] },
      other: null,
      prepare: async () => {
        const names = listAwkwardNames().filter((_, index) => index % STEP === 0);
        for (let start = 0; start < names.length; start += COLUMNS_PER_TABLE)
          tables.push(await makeTable(tables.length, names.slice(start, start + COLUMNS_PER_TABLE)));
        await stage.cell.publish(stage.tenant);
      },
    });
    const { call } = stage;
    const tables: string[][] = [];
    const rejected: string[] = [];

    /**
     * Creates a table and skips names that the engine considers equal or invalid. Row 1 holds the position of
     * each column, and row 2 adds a thousand.
     */
    async function makeTable(number: number, names: readonly string[]): Promise<string[]> {
      const table = `${stage.tenant.schemaName}.t${number}`;
      const taken: string[] = [];
      await stage.cell.root.run(`CREATE TABLE ${table} (\`row id\` int NOT NULL AUTO_INCREMENT PRIMARY KEY)`);
      for (const name of names) {
        try {
          await stage.cell.root.run(
            `ALTER TABLE ${table} ADD COLUMN ${quote(name)} int NULL, ADD UNIQUE KEY u${taken.length} (${quote(name)})`,
          );
          taken.push(name);
        } catch (error) {
          if ((error as { errno?: number }).errno !== 1060) rejected.push(name);
        }
        if (taken.length === COLUMNS_PER_TABLE) break;
      }
      for (const base of [0, 1000])
        await stage.cell.root.run(
          `INSERT INTO ${table} (${taken.map(quote).join(', ')}) VALUES (${taken.map((_, index) => base + index).join(', ')})`,
        );
      return taken;
    }

    it('the engine accepts nearly all difficult column names of the test list', () => {
      expect(rejected.filter((name) => isLegal(name) && /^[\u0001-\ud7ff]+$/.test(name)).length).toBeLessThan(
        5,
      );
      expect(tables.flat().length).toBeGreaterThan(60);
    });

    it('columns with difficult names can be read, filtered, sorted, grouped and searched', async () => {
      for (const [number, names] of tables.entries()) {
        for (const [index, name] of names.entries()) {
          const own = quote(name);
          const record = JSON.stringify([Object.fromEntries([[name, index]])]);
          const row = `/t${number}?${part('_select', own)}&${part('sort', `-${own}`)}`;
          for (const query of [
            part(own, String(index)),
            part(`${own}__lt`, String(index + 1)) + `&${part(`${own}__gte`, String(index))}`,
            part('_filter', JSON.stringify({ [own]: index })),
            part('where', `${own} = ${index} AND ${own} IS NOT NULL`),
          ]) {
            const response = await call('GET', `${row}&${query}`);
            expect([name, query, response.text]).toEqual([name, query, record]);
          }
          const groups = await call(
            'GET',
            `/t${number}?${part('_group', `who:${own}`)}&${part('_aggregate', `n:max:${own},count:${own}`)}&sort=-n`,
          );
          expect([name, groups.status, Object.values(groups.json[0])]).toEqual([
            name,
            200,
            [1000 + index, 1000 + index, 1],
          ]);
          const found = await call(
            'POST',
            `/_search/t${number}`,
            JSON.stringify({ [`${own}__in`]: [index, -1], _select: [own] }),
          );
          expect([name, found.text]).toEqual([name, record]);
        }
      }
    });

    it('columns with difficult names can be written', async () => {
      for (const [number, names] of tables.entries()) {
        for (const [index, name] of names.entries()) {
          const dry = { prefer: 'tx=rollback, return=representation' };
          const body = JSON.stringify(Object.fromEntries([[name, 5000 + index]]));
          const texts = [
            await call('POST', `/t${number}`, body, dry),
            await call('PATCH', `/t${number}/1`, body, dry),
            await call('PATCH', `/t${number}?${part(quote(name), String(index))}`, body, dry),
            await call('POST', `/t${number}?${part('_on_conflict', quote(name))}`, body, dry),
          ].map((response) => response.text);
          for (const text of texts) expect(text, name).toContain(`${JSON.stringify(name)}:${5000 + index}`);
        }
      }
    });

    it('the OpenAPI document offers a filter for every column name', async () => {
      const { json } = await call('GET', '/openapi.json');
      for (const [number, names] of tables.entries()) {
        const documented = new Set<string>(
          json.paths[`/v1/-/t${number}`].get.parameters
            .filter((item: { description?: string }) => item.description === 'Equals.')
            .map((item: { name: string }) => item.name),
        );
        expect(documented.size).toBeGreaterThan(names.length / 2);
        for (const [index, name] of names.entries()) {
          const forms = [name, quote(name)].flatMap((form) => [form, `${form}__eq`]);
          const parameter = forms.find((form) => documented.delete(form));
          const key = parameter ?? `filters[${quote(name)}]`;
          const response = await call(
            'GET',
            `/t${number}?_select=%60row%20id%60&${part(key, String(index))}`,
          );
          expect([key, response.text]).toEqual([key, '[{"row id":1}]']);
        }
        expect([...documented]).toEqual([quote('row id')]);
      }
    });
  },
);
