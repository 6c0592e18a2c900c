import { expect, it } from 'vitest';
import { describeMcp, describeSignIn } from './describe-test.js';

const AT = { host: 'db.example.org', port: 3306 };
const FOUND = {
  fault: null,
  reaches_address: true,
  server_version: '10.11.6-MariaDB-0+deb12u1-log',
  tables: 4,
  took_ms: 12.4,
};

it('a successful connection test is described with its server, speed and visible tables', () => {
  expect(describeSignIn(FOUND, AT)).toEqual({
    tone: 'pine',
    label: 'Signed in',
    text: 'Connected to db.example.org:3306 in 12 ms (server 10.11.6-MariaDB, 4 tables visible).',
  });
  expect(describeSignIn({ ...FOUND, server_version: '8.4.3', tables: 1, took_ms: 0.2 }, AT).text).toBe(
    'Connected to db.example.org:3306 in 1 ms (server 8.4.3, 1 table visible).',
  );
});

it('the connection test reports a public address that Rowhouse cannot reach', () => {
  const { tone, text } = describeSignIn({ ...FOUND, reaches_address: false }, AT);
  expect(tone).toBe('ochre');
  expect(text).toContain('db.example.org:3306 isn’t reachable from the Rowhouse server');
});

it.each(['password', 'locked', 'sessions', 'other'] as const)(
  'a failed connection test (%s) is described with its remedy',
  (fault) => {
    const rejected = { fault, reaches_address: true, server_version: null, tables: null, took_ms: 3 };
    expect(describeSignIn(rejected, AT)).toMatchObject({
      tone: 'brick',
      text: expect.stringMatching(/(Rotate|Create|Close) .*\.$/),
    });
    expect(describeSignIn({ ...rejected, reaches_address: false }, AT).text).toContain(
      'test it where your program runs',
    );
  },
);

it('an MCP test is described with the server, the tools and the key', () => {
  const found = {
    title: 'Rowhouse: development database',
    revision: '2025-11-25',
    tools: ['get_schema', 'query_database'],
    tookMs: 31.2,
  };
  expect(describeMcp(found, true)).toEqual({
    tone: 'pine',
    label: 'Connected',
    text: 'Rowhouse: development database responded in 31 ms. With this key, 2 tools are available: get_schema, query_database.',
  });
  expect(describeMcp({ ...found, tools: ['get_schema'] }, false).text).toContain(
    'With your role, 1 tool is available',
  );
  expect(describeMcp({ ...found, tools: [] }, true)).toMatchObject({
    tone: 'ochre',
    text: expect.stringContaining('Add scopes'),
  });
});
