import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { listIndexable } from './list-indexable.js';

const exampleSchema = (): Snapshot => nameSnapshot(EXAMPLE_SCHEMA, null);
const none = { hidden_columns: {}, unindexed_columns: {} };
const namesOf = (snapshot: Snapshot, settings = none): string[] =>
  listIndexable(snapshot, settings).flatMap((table) =>
    table.columns.map((column) => `${table.name}.${column.name}`),
  );

describe('listIndexable', () => {
  it('listIndexable returns text columns of tables', () => {
    expect(namesOf(exampleSchema())).toEqual(
      expect.arrayContaining(['users.username', 'users.email', 'posts.title', 'tags.name']),
    );
    expect(namesOf(exampleSchema()).filter((name) => name.endsWith('id'))).toEqual([]);
  });
  it('listIndexable omits hidden and excluded columns', () => {
    const settings = { hidden_columns: { users: ['email'] }, unindexed_columns: { posts: ['title'] } };
    expect(namesOf(exampleSchema(), settings)).toEqual(
      namesOf(exampleSchema()).filter((name) => name !== 'users.email' && name !== 'posts.title'),
    );
  });
  it('the value settings of a table are read even if it is named like an inherited member', () => {
    const snapshot = exampleSchema();
    const tables = snapshot.tables.map((table) =>
      table.name === 'tags' ? { ...table, name: 'constructor' } : table,
    );
    expect(namesOf({ ...snapshot, tables })).toContain('constructor.name');
  });
  it.each([
    'password',
    'password_hash',
    'api_key',
    'apikey',
    'access_token',
    'client_secret',
    'ssn',
    'card_number',
    'pin',
    'salt',
  ])('listIndexable omits %s, since its name suggests a secret', (name) => {
    expect(namesOf(renamed('email', name))).not.toContain(`users.${name}`);
  });
  it.each(['secretary', 'hashtag', 'spin', 'card_type', 'passenger'])('listIndexable returns %s', (name) => {
    expect(namesOf(renamed('email', name))).toContain(`users.${name}`);
  });
});

function renamed(from: string, to: string): Snapshot {
  const snapshot = exampleSchema();
  return {
    ...snapshot,
    tables: snapshot.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.name === from ? { ...column, name: to } : column)),
    })),
  };
}
