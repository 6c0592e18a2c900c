import { describe, expect, it } from 'vitest';
import { compileSnapshot } from './compile-snapshot.js';
import { describeSchema, describeIndex } from '../describe-schema.js';
import { nameSnapshot } from '../naming/name-snapshot.js';
import { EXAMPLE_SCHEMA, rawColumn, rawTable, uniqueIndex } from '../testing/index.js';
import type { Rights } from '../types.js';

const snapshot = nameSnapshot(EXAMPLE_SCHEMA, null);
const all: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };
const heading = { project: 'Blog', database: 'production' };

describe('compileSnapshot', () => {
  it('a compiled snapshot finds tables by path and by name', () => {
    const compiled = compileSnapshot(snapshot, 7, all);
    expect(compiled.findByPath('post-tags')?.name).toBe('post_tags');
    expect(compiled.findByPath('post_tags')).toBeNull();
    expect(compiled.findByName('post_tags')).toBe(compiled.findByPath('post-tags'));
    expect(compiled.findByName('__proto__')).toBeNull();
  });

  it('a table with hyphens in its path is also served under its exact name, if free', () => {
    const tables = ['my odd_table', 'two words_a', 'two words-a', 'per%cent_x'].map((name) =>
      rawTable(name, [rawColumn('id', 'int(11)')]),
    );
    const compiled = compileSnapshot(nameSnapshot({ engine: 'mariadb', tables }, null), 7, all);
    const find = (path: string): string | undefined => compiled.findByPath(path)?.name;
    expect(['my-odd-table', 'my odd-table', 'per-cent-x', 'per%cent-x'].map(find)).toEqual([
      'my odd_table',
      'my odd_table',
      'per%cent_x',
      'per%cent_x',
    ]);
    expect([find('two words-a'), compiled.findByName('two words-a')?.name]).toEqual([
      undefined,
      'two words-a',
    ]);
    const other = compileSnapshot(nameSnapshot({ engine: 'mariadb', tables }, null), 7, {
      ...all,
      tables: { 'per%cent_x': ['read'] },
    });
    expect(other.findByPath('my odd-table')).toBeNull();
  });

  it('a relationship is found by its singular or plural if only one matches', () => {
    const posts = compileSnapshot(snapshot, 7, all).findByName('posts');
    expect(posts?.findRelationship('comment')?.name).toBe('comments');
    expect(posts?.findRelationship('users')?.name).toBe('user');
    expect(posts?.findRelationship('constructor')).toBeNull();
  });

  it('a compiled snapshot omits tables without rights, and relationships to them', () => {
    const compiled = compileSnapshot(snapshot, 7, {
      ...all,
      tables: { posts: ['read'], tags: ['read'], users: [] },
    });
    expect(compiled.tableNames).toEqual(['posts', 'tags']);
    expect(compiled.findByName('users')).toBeNull();
    expect(compiled.findByName('posts')?.relationships).toEqual([]);
    expect(compiled.findByName('posts')?.verbs).toEqual(['read']);
  });

  it('a compiled table finds hidden columns only for writes', () => {
    const users = compileSnapshot(snapshot, 7, { ...all, hiddenColumns: { users: ['email'] } }).findByName(
      'users',
    );
    expect(users?.findColumn('email')).toBeNull();
    expect(users?.findWritable('email')?.name).toBe('email');
    expect(users?.shown.map((column) => column.name)).toEqual(['id', 'username', 'bio', 'created_at']);
  });

  it('a compiled table has no row key and no relationships over hidden columns', () => {
    const compiled = compileSnapshot(snapshot, 7, { ...all, hiddenColumns: { posts: ['id', 'user_id'] } });
    expect(compiled.findByName('posts')?.rowKey).toBeNull();
    expect(compiled.findByName('posts')?.relationships).toEqual([]);
  });

  it('a compiled table with a numeric key uses a unique uuid column as its uuidKey', () => {
    const columns = [rawColumn('id', 'int(11)', { autoIncrement: true }), rawColumn('uuid', 'char(36)')];
    const withKey = nameSnapshot(
      { engine: 'mariadb', tables: [rawTable('t', columns, { indexes: [uniqueIndex('u', ['uuid'])] })] },
      null,
    );
    const without = nameSnapshot({ engine: 'mariadb', tables: [rawTable('t', columns)] }, null);
    expect(compileSnapshot(withKey, 1, all).findByName('t')?.uuidKey?.name).toBe('uuid');
    expect(compileSnapshot(without, 1, all).findByName('t')?.uuidKey).toBeNull();
  });

  it('a compiled column counts as required if a create must contain it', () => {
    const posts = compileSnapshot(snapshot, 7, all).findByName('posts');
    expect(posts?.columns.filter((column) => column.required).map((column) => column.name)).toEqual([
      'title',
      'content',
      'user_id',
    ]);
  });
});

describe('describeSchema', () => {
  it('describeSchema describes columns, keys and relationships', () => {
    const body = describeSchema(compileSnapshot(snapshot, 7, all), heading);
    expect(body).toMatchObject({ project: 'Blog', database: 'production', dialect: 'mariadb', version: 7 });
    const posts = body.tables.find((table) => table.name === 'posts');
    expect(posts?.primary_key).toEqual(['id']);
    expect(posts?.columns.find((column) => column.name === 'user_id')).toEqual({
      name: 'user_id',
      type: 'int(11)',
      value_kind: 'integer',
      nullable: false,
      default: null,
      generated: null,
      required: true,
      unique: false,
      auto_increment: false,
      max_length: null,
      enum: null,
      format: null,
      references: { table: 'users', column: 'id' },
    });
    expect(posts?.relationships).toContainEqual({
      name: 'tags',
      kind: 'many_to_many',
      table: 'tags',
      via: 'post_tags',
    });
    expect(body.sql).toContain('CREATE TABLE `posts`');
  });

  it('describeSchema omits hidden tables and columns from its JSON and its SQL', () => {
    const rights: Rights = {
      tables: { posts: ['read'] },
      verbs: ['read'],
      hiddenColumns: { posts: ['content'] },
    };
    const text = JSON.stringify(describeSchema(compileSnapshot(snapshot, 7, rights), heading));
    expect(text).toContain('CREATE TABLE `posts`');
    expect(text).toContain('ENGINE=InnoDB');
    expect(text).not.toContain('content');
    expect(text).not.toContain('users');
  });

  it('describeSchema shows the text of a view only to a key that sees everything', () => {
    const view = rawTable('v', [rawColumn('id', 'int(11)')], {
      primaryKey: null,
      kind: 'view',
      createSql: 'CREATE VIEW `v` AS SELECT `secret` FROM `users`',
    });
    const withView = nameSnapshot({ ...EXAMPLE_SCHEMA, tables: [...EXAMPLE_SCHEMA.tables, view] }, null);
    expect(describeSchema(compileSnapshot(withView, 1, all), heading).sql).toContain('SELECT `secret`');
    expect(
      describeSchema(compileSnapshot(withView, 1, { ...all, tables: { v: ['read'] } }), heading).sql,
    ).not.toContain('secret');
  });

  it('describeIndex lists the tables with their links', () => {
    expect(
      describeIndex(compileSnapshot(snapshot, 7, { ...all, tables: { post_tags: ['read'] } }), '/v1/-'),
    ).toEqual({
      tables: [{ name: 'post_tags', path: 'post-tags', kind: 'table', href: '/v1/-/post-tags' }],
    });
  });
});
