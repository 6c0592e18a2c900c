import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { listIndexable } from './list-indexable.js';

const exampleSchema = (): Snapshot => nameSnapshot(EXAMPLE_SCHEMA, null);
const none = { hidden_columns: {}, unindexed_columns: {} };
const namesOf = (snapshot: Snapshot, settings = none): string[] => listIndexable(snapshot, settings).flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`));

describe('listIndexable', () => {
  it('lists text columns of tables', () => {
    expect(namesOf(exampleSchema())).toEqual(expect.arrayContaining(['users.username', 'users.email', 'posts.title', 'tags.name']));
    expect(namesOf(exampleSchema()).filter((name) => name.endsWith('id'))).toEqual([]);
  });
  it('leaves out what is hidden and what was opted out', () => {
    const settings = { hidden_columns: { users: ['email'] }, unindexed_columns: { posts: ['title'] } };
    expect(namesOf(exampleSchema(), settings)).toEqual(namesOf(exampleSchema()).filter((name) => name !== 'users.email' && name !== 'posts.title'));
  });
  it('reads the settings of a table that is called as what every object has', () => {
    const snapshot = exampleSchema();
    const tables = snapshot.tables.map((table) => (table.name === 'tags' ? { ...table, name: 'constructor' } : table));
    expect(namesOf({ ...snapshot, tables })).toContain('constructor.name');
  });
  it.each(['password', 'password_hash', 'api_key', 'apikey', 'access_token', 'client_secret', 'ssn', 'card_number', 'pin', 'salt'])('leaves out %s, which is a secret by its name', (name) => {
    expect(namesOf(renamed('email', name))).not.toContain(`users.${name}`);
  });
  it.each(['secretary', 'hashtag', 'spin', 'card_type', 'passenger'])('keeps %s', (name) => {
    expect(namesOf(renamed('email', name))).toContain(`users.${name}`);
  });
});

function renamed(from: string, to: string): Snapshot {
  const snapshot = exampleSchema();
  return { ...snapshot, tables: snapshot.tables.map((table) => ({ ...table, columns: table.columns.map((column) => (column.name === from ? { ...column, name: to } : column)) })) };
}
