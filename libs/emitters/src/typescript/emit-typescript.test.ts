import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { emitTypeScript } from './emit-typescript.js';

const blog = nameSnapshot(EXAMPLE_SCHEMA, null);

function textOf(
  path: string,
  snapshot = blog,
  hiddenColumns: Readonly<Record<string, readonly string[]>> = {},
): string {
  return emitTypeScript(snapshot, { hiddenColumns }).find((file) => file.path === path)?.text ?? '';
}

describe('emitTypeScript', () => {
  it('emitTypescript returns the same bytes for the same schema', () => {
    expect(emitTypeScript(blog, { hiddenColumns: {} })).toEqual(emitTypeScript(blog, { hiddenColumns: {} }));
  });

  it('generated TypeScript has types of rows, creates and included rows', () => {
    const types = textOf('types.ts');
    expect(types).toContain('export interface Post {\n  id: number;\n  title: string;');
    expect(types).toMatch(/interface PostCreate \{\n {2}id\?: number \| undefined;\n {2}title: string;/);
    expect(types).toContain(
      'export interface PostRelations {\n  comments: Comment[];\n  tags: Tag[];\n  user: User;\n}',
    );
    expect(types).toContain(
      'export type PostTagKey = readonly [number | bigint | string, number | bigint | string];',
    );
  });

  it('generated TypeScript types preserve all digits of wide integers and decimals', () => {
    const wide = nameSnapshot(
      {
        engine: 'mariadb',
        tables: [
          rawTable('t', [
            rawColumn('id', 'bigint(20)'),
            rawColumn('price', 'decimal(10,2)', { nullable: true }),
          ]),
        ],
      },
      null,
    );
    expect(textOf('types.ts', wide)).toContain(
      'export interface T {\n  id: bigint;\n  price: string | null;\n}',
    );
    expect(textOf('client.ts', wide)).toContain('numbers: [], bigints: ["id"]');
  });

  it('generated TypeScript code contains no Unicode direction marks, and strings keep their values', () => {
    const marks = '\u061c\u200e\u200f\u202a\u202e\u2066\u2069';
    const table = {
      ...rawTable('t', [rawColumn('id', 'int(11)'), rawColumn(`a${marks}`, 'int(11)')]),
      comment: marks,
    };
    const files = emitTypeScript(nameSnapshot({ engine: 'mariadb', tables: [table] }, null), {
      hiddenColumns: {},
    });
    for (const { text } of files) expect(text).not.toMatch(new RegExp(`[${marks}]`));
    const name = /^ {2}("a.*"): number/m.exec(files.find(({ path }) => path === 'types.ts')?.text ?? '')?.[1];
    expect(JSON.parse(name ?? '""')).toBe(`a${marks}`);
  });

  it('no table gets the name of a TypeScript type of the package', () => {
    const names = ['included', 'read_option', 'api_error', 'client'];
    const schema = nameSnapshot(
      { engine: 'mariadb', tables: names.map((name) => rawTable(name, [rawColumn('id', 'int(11)')])) },
      null,
    );
    const exported = ['types.ts', 'runtime.ts', 'client.ts'].flatMap((path) =>
      [...textOf(path, schema).matchAll(/^export (?:class|interface|type) (\w+)/gm)].map((match) => match[1]),
    );
    expect(exported.filter((name, index) => exported.indexOf(name) !== index)).toEqual([]);
  });

  it('the generated TypeScript client sorts in both directions, with NULL at either end', () => {
    expect(textOf('runtime.ts')).toContain(
      "export type Sort<Row> = `${'' | '-'}${keyof Row & string}${'' | ':nulls_first' | ':nulls_last' | `->${string}`}`;",
    );
  });

  it('the generated TypeScript client never reads hidden columns', () => {
    const types = textOf('types.ts', blog, { users: ['email'] });
    expect(
      types.slice(types.indexOf('export interface User {'), types.indexOf('export interface UserCreate')),
    ).not.toContain('email');
    expect(types).toMatch(/interface UserCreate \{[^}]*email: string;/);
  });

  it('generated zod schemas match their TypeScript types', () => {
    expect(textOf('schemas.ts')).toContain(
      '["username"]: z.string().refine((text) => [...text].length <= 50, { error: \'at most 50 characters\' }),',
    );
    expect(textOf('schemas.ts')).toContain('satisfies z.ZodType<UserCreate>');
  });
});
