import { doSteps, nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../testing/openapi-options.js';
import { writeIndexPage, writeLlmsText, writeTablePage } from './emit-markdown.js';
import { emitReferenceSteps } from './emit-reference.js';
import type { ApiReference, ReferenceGroup } from './reference-types.js';

const ADDRESSES = {
  docsUrl: 'https://api.rowhouse.test/v1/-/docs/slug',
  openApiUrl: 'https://api.rowhouse.test/v1/-/openapi/slug',
};

function emit(snapshot: Snapshot): ApiReference {
  return doSteps(emitReferenceSteps(snapshot, OPTIONS));
}

function makeSnapshot(columns = [rawColumn('id', 'int(11)'), rawColumn('email', 'varchar(255)')]): Snapshot {
  return nameSnapshot({ engine: 'mariadb', tables: [rawTable('users', columns)] }, null);
}

const findGroup = (reference: ApiReference, name: string): ReferenceGroup => {
  const group = reference.groups.find((candidate) => candidate.name === name);
  if (group === undefined) throw new Error(`The reference has no group ${name}.`);
  return group;
};

describe('emitReference', () => {
  it('the reference lists the operations, fields and filters of a table', () => {
    const users = findGroup(emit(makeSnapshot()), 'users');
    expect(users.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['GET /users', 'POST /users', 'GET /users/{id}', 'POST /_search/users']),
    );
    expect(users.fields).toEqual([
      expect.objectContaining({ name: 'id', type: 'integer', inRequest: true, inResponse: true }),
      expect.objectContaining({ name: 'email', type: 'email', isRequired: true }),
    ]);
    const list = users.operations.find(({ id }) => id === 'listUsers');
    expect(list?.filters['email']).toEqual(['', 'like']);
    expect(list?.shared).toContain('limitParam');
  });

  it('each sample uses the path, the body and the client method of its operation', () => {
    const { operations } = findGroup(emit(makeSnapshot()), 'users');
    const samples = Object.fromEntries(operations.map(({ id, sample }) => [id, sample]));
    expect(samples['listUsers']).toMatchObject({
      path: '/users?limit=5',
      client: 'client.users.list({ limit: 5 })',
      writes: false,
    });
    expect(samples['getUser']).toMatchObject({ path: '/users/1', client: 'client.users.get("1")' });
    expect(samples['createUser']).toMatchObject({
      body: { email: 'ann@example.org' },
      client: expect.stringMatching(/^client\.users\.create\(\{.*"email":"ann@example\.org"/),
      writes: true,
    });
    expect(samples['searchUsers']).toMatchObject({
      client: 'client.transport.call("POST", "/_search/users", { body: {"limit":5} })',
      writes: false,
    });
  });
});

describe('the Markdown pages', () => {
  it('llms.txt links the page of each table', () => {
    const text = writeLlmsText(emit(makeSnapshot()), ADDRESSES, { title: 'Shop' });
    expect(text.split('\n')[0]).toBe('# Shop');
    expect(text).toContain('- [users](https://api.rowhouse.test/v1/-/docs/slug/tables/users.md): ');
    expect(text).toContain('https://api.rowhouse.test/v1/-/openapi/slug');
  });

  it('the first page names the base URL, the authentication and every operation', () => {
    const page = writeIndexPage(emit(makeSnapshot()), ADDRESSES, { intro: 'For partners.' });
    for (const part of ['For partners.', '`https://api.rowhouse.test/v1/-`', 'Authorization: Bearer'])
      expect(page).toContain(part);
    expect(page).toContain('- `GET /users/{id}`: ');
  });

  it('the page of a table has a row for each field and a request for each operation', () => {
    const reference = emit(makeSnapshot());
    const group = findGroup(reference, 'users');
    const page = writeTablePage(reference, group);
    expect(page).toContain('| `email` | `email` | required | varchar(255). |');
    expect(page.match(/^curl /gm)).toHaveLength(group.operations.length);
    expect(page).toContain('- `email`, `email__like`');
  });

  it('names of tables and columns cannot add markup to a page', () => {
    const name = '](javascript:x)`` | <b>';
    const snapshot = nameSnapshot(
      {
        engine: 'mariadb',
        tables: [rawTable(name, [rawColumn('id', 'int(11)'), rawColumn('a`b|c', 'text')])],
      },
      null,
    );
    const reference = emit(snapshot);
    const page = writeTablePage(reference, findGroup(reference, name));
    const texts = page.replaceAll(/(`+)[^]*?\1/g, '');
    expect(texts).not.toMatch(/[^\\]<b>|[^\\]\]\(/);
    expect(page).toContain('| `` a`b\\|c `` |');
  });
});
