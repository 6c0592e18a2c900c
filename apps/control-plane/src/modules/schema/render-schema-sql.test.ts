import type { ForeignKey, Snapshot, Table } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { formatConnectionString } from '../connections/format-connection-string.js';
import { renderSchemaSql } from './render-schema-sql.js';

const table = (name: string, refersTo: string[] = [], kind: Table['kind'] = 'table'): Table =>
  ({ name, kind, createSql: `CREATE ${kind.toUpperCase()} ${name}`, foreignKeys: refersTo.map((referencedTable) => ({ referencedTable }) as ForeignKey) }) as Table;
const order = (...tables: Table[]): string[] => [...renderSchemaSql({ format: 1, engine: 'mariadb', tables } as Snapshot).matchAll(/(?:TABLE|VIEW) (\w+);/g)].map((match) => match[1] as string);

describe('renderSchemaSql', () => {
  it('is empty without a schema', () => {
    expect(renderSchemaSql(null)).toBe('');
  });
  it('puts parents first and views last', () => {
    expect(order(table('a_view', [], 'view'), table('comments', ['posts', 'users']), table('posts', ['users']), table('users'))).toEqual(['users', 'posts', 'comments', 'a_view']);
  });
  it('ends with tables that refer to themselves or in a circle', () => {
    expect(order(table('a', ['b']), table('b', ['a']), table('tree', ['tree']))).toEqual(['b', 'a', 'tree']);
  });
  it('passes over tables that are not there', () => {
    expect(order(table('a', ['gone']))).toEqual(['a']);
  });
});

describe('formatConnectionString', () => {
  const parts = { user: 'u', password: 'p', host: '127.0.0.1', port: 3306, database: 'd', tls: false };
  it('is a URL that clients read', () => {
    expect(formatConnectionString(parts)).toBe('mysql://u:p@127.0.0.1:3306/d');
    expect(formatConnectionString({ ...parts, tls: true, host: '::1' })).toBe('mysql://u:p@[::1]:3306/d?ssl=true');
  });
  it('escapes what a URL would read otherwise', () => {
    expect(new URL(formatConnectionString({ ...parts, password: 'a/b@c:d' })).host).toBe('127.0.0.1:3306');
  });
});
