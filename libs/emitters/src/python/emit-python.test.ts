import { nameSnapshot } from '@rowhouse/schema-model';
import {
  EXAMPLE_SCHEMA,
  foreignKey,
  makeRandomSchema,
  rawColumn,
  rawTable,
  toRawSchema,
} from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import type { GeneratedFile } from '../generated-file.js';
import { emitPython } from './emit-python.js';
import type { PythonOptions } from './python-text.js';

const NEWEST: PythonOptions = { pydantic: '2', sqlalchemy: '2.0', hiddenColumns: {} };
const blog = nameSnapshot(EXAMPLE_SCHEMA, null);

function textOf(files: readonly GeneratedFile[], path: string): string {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`no ${path} among ${files.map((file) => file.path).join(', ')}`);
  return found.text;
}

describe('emitPython', () => {
  it('emitPython writes a generated file and a user file for each table', () => {
    const files = emitPython(blog, NEWEST);
    expect(files.map(({ path, owner }) => `${owner} ${path}`)).toEqual([
      'generated __init__.py',
      'generated _generated/__init__.py',
      'generated _generated/base.py',
      ...['comments', 'post_tags', 'posts', 'tags', 'users'].flatMap((name) => [
        `generated _generated/${name}.py`,
        `own ${name}.py`,
      ]),
    ]);
    expect(emitPython(blog, NEWEST)).toEqual(files);
  });

  it('generated Python code contains no Unicode direction marks', () => {
    const marks = '\u061c\u200e\u200f\u202a\u202e\u2066\u2069';
    const columns = [rawColumn('id', 'int(11)'), rawColumn(`a${marks}`, `enum('b${marks}')`)];
    const table = { ...rawTable(`t${marks}`, columns), comment: marks };
    const files = emitPython(nameSnapshot({ engine: 'mariadb', tables: [table] }, null), NEWEST);
    for (const { text } of files) expect(text).not.toMatch(new RegExp(`[${marks}]`));
    expect(textOf(files, '_generated/t_______.py')).toContain('"a\\u061c\\u200e');
  });

  it('Python models map every kind of relationship in both directions', () => {
    const posts = textOf(emitPython(blog, NEWEST), '_generated/posts.py');
    expect(posts).toContain('def user(cls) -> "Mapped[User]":');
    expect(posts).toContain('def comments(cls) -> "Mapped[list[Comment]]":');
    expect(posts).toContain('def tags(cls) -> "Mapped[list[Tag]]":');
    expect(posts).toContain('secondary=lambda: Base.metadata.tables["post_tags"]');
    expect(posts).toContain('back_populates="posts"');
  });

  it('Python write schemas check lengths, ranges and email addresses', () => {
    const users = textOf(emitPython(blog, NEWEST), '_generated/users.py');
    expect(users).toMatch(
      /class GeneratedUserBase\(WriteSchema\):[\s\S]*?username: str = Field\(max_length=50\)/,
    );
    expect(users).toContain('email: str = Field(max_length=255, pattern=EMAIL)');
    expect(users.slice(users.indexOf('class GeneratedUserRead'))).not.toContain('max_length');
  });

  it('Python read schemas omit hidden columns, unlike write schemas', () => {
    const users = textOf(
      emitPython(blog, { ...NEWEST, hiddenColumns: { users: ['email'] } }),
      '_generated/users.py',
    );
    const [rows, read] = users.split('class GeneratedUserRead');
    expect(rows).toContain('email: Mapped[str]');
    expect(read).not.toContain('email');
  });

  it('make_engine of the generated Python code accepts the TLS parameters of MySQL', () => {
    const base = textOf(emitPython(blog, NEWEST), '_generated/base.py');
    expect(base).toContain('mode, ca = rest.pop("ssl-mode", "").upper(), rest.pop("ssl-ca", None)');
    expect(base).toContain('context.check_hostname = mode == "VERIFY_IDENTITY"');
  });

  it('renaming a column changes one generated Python file', () => {
    const renamed = nameSnapshot(
      {
        ...EXAMPLE_SCHEMA,
        tables: EXAMPLE_SCHEMA.tables.map((table) =>
          table.name !== 'posts'
            ? table
            : {
                ...table,
                columns: table.columns.map((column) =>
                  column.name === 'title' ? { ...column, name: 'headline' } : column,
                ),
              },
        ),
      },
      blog,
    );
    const before = new Map(emitPython(blog, NEWEST).map((file) => [file.path, file.text]));
    const changed = emitPython(renamed, NEWEST).filter((file) => before.get(file.path) !== file.text);
    expect(changed.map((file) => file.path)).toEqual(['_generated/posts.py']);
  });

  it('no Python attribute has the name of a class in its relationships', () => {
    const parents = rawTable('parents', [rawColumn('id', 'int')]);
    const children = rawTable(
      'children',
      [rawColumn('id', 'int'), rawColumn('Parent', 'date'), rawColumn('parent_id', 'int')],
      { foreignKeys: [foreignKey('children', 'parent_id', 'parents')] },
    );
    const text = textOf(
      emitPython(nameSnapshot({ engine: 'mariadb', tables: [parents, children] }, null), NEWEST),
      '_generated/children.py',
    );
    expect(text).toContain('Parent_: Mapped[dt.date]');
    expect(text).toContain('"Mapped[Parent]"');
  });

  it('emitPython avoids reserved names and repeated names', () => {
    const names = [
      'id',
      'class',
      'metadata',
      'metadata_',
      'odd name',
      'odd-name',
      '_x',
      '1st',
      '__proto__',
      'json',
      'int',
      'Größe',
      '名前',
      'self',
    ];
    const columns = names.map((name) => rawColumn(name, 'int(11)'));
    const files = emitPython(
      nameSnapshot(
        {
          engine: 'mariadb',
          tables: [
            rawTable('base', columns),
            rawTable('Base', columns),
            rawTable('class', columns),
            rawTable('generated_x', columns),
          ],
        },
        null,
      ),
      NEWEST,
    );
    expect(files.filter((file) => file.owner === 'own').map((file) => file.path)).toEqual([
      'base_.py',
      'base__2.py',
      'class_.py',
      'generated_x.py',
    ]);
    const text = textOf(files, '_generated/class_.py');
    const attributes = [...text.matchAll(/^ {4}(\S+): Mapped/gm)].map((found) => found[1]);
    expect(attributes).toEqual([
      'id',
      'class_',
      'metadata__2',
      'metadata_',
      'odd_name',
      'odd_name_2',
      'x',
      'column_1st',
      'proto__',
      'json_',
      'int_',
      'Größe',
      '名前',
      'self_',
    ]);
    expect(text).toContain('mapped_column("class", ');
    expect(text).toContain('validation_alias=AliasChoices("class_", "class"), serialization_alias="class"');
    expect(textOf(files, 'generated_x.py')).toContain('class TableGeneratedX(GeneratedTableGeneratedX):');
  });

  it('emitPython generates code for the requested versions of Pydantic and SQLAlchemy', () => {
    const old = textOf(
      emitPython(blog, { ...NEWEST, pydantic: '1', sqlalchemy: '1.4' }),
      '_generated/users.py',
    );
    expect(old).toContain('id = sa.Column(mysql.INTEGER(), primary_key=True, autoincrement=True)');
    expect(old).toContain('regex=EMAIL');
    expect(old).not.toContain('Mapped');
  });

  it('emitPython generates unique names for any schema', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const files = emitPython(
        nameSnapshot(toRawSchema(makeRandomSchema(seed, { tables: 20 })), null),
        NEWEST,
      );
      const paths = files.map((file) => file.path.toLowerCase());
      expect(new Set(paths).size).toBe(paths.length);
      const exported = [...textOf(files, '__init__.py').matchAll(/^ {4}"(.*)",$/gm)].map((found) => found[1]);
      expect(new Set(exported).size).toBe(exported.length);
    }
  });
});
