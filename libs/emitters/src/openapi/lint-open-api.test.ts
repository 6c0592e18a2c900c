import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitOpenApi } from './emit-open-api.js';
import type { OpenApiOptions } from './openapi-types.js';

const CLI = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const OPTIONS: OpenApiOptions = {
  title: 'Blog',
  serverUrl: 'https://api.rowhouse.test',
  version: '7',
  settings: { require_limit: false, unknown_fields: 'reject', regex_enabled: false },
  rights: { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} },
};

const EVERY_TYPE = [
  'int(11)', 'bigint(20) unsigned', 'decimal(10,2)', 'float', 'double', 'bit(4)', 'tinyint(1)', 'varchar(9)', 'text', "enum('a','b')",
  "set('a','b')", 'date', 'datetime', 'timestamp', 'time', 'year(4)', 'json', 'blob', 'uuid', 'inet6', 'vector(3)', 'point',
];

const odd = rawTable('odd table', [rawColumn('id', 'int(11)'), rawColumn('uuid', 'char(36)'), ...EVERY_TYPE.map((type, at) => rawColumn(`c ${at}`, type, { nullable: at % 2 === 0 }))], {
  indexes: [uniqueIndex('u', ['uuid'])],
});
const log = rawTable('log', [rawColumn('line', 'text')], { primaryKey: null });

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Throws with the linter's report when anything, warnings too, is wrong. */
function lint(document: object): string {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return execFileSync(process.execPath, [CLI, 'lint', '--extends', 'recommended-strict', '--format', 'stylish', file], { env, encoding: 'utf8', cwd: folder, stdio: 'pipe' });
}

describe('the document of emitOpenApi', () => {
  it.each([
    ['the example schema', emitOpenApi(nameSnapshot(EXAMPLE_SCHEMA, null), OPTIONS)],
    ['every type, odd names, no key', emitOpenApi(nameSnapshot({ engine: 'mariadb', tables: [odd, log] }, null), OPTIONS)],
    ['no table at all', emitOpenApi(nameSnapshot({ engine: 'mariadb', tables: [] }, null), { ...OPTIONS, title: '' })],
    ['rights to read', emitOpenApi(nameSnapshot(EXAMPLE_SCHEMA, null), { ...OPTIONS, rights: { ...OPTIONS.rights, verbs: ['read'] } })],
    ['rights to write', emitOpenApi(nameSnapshot(EXAMPLE_SCHEMA, null), { ...OPTIONS, rights: { ...OPTIONS.rights, verbs: ['write'] } })],
  ])('passes the strict linter for %s', (_, document) => {
    expect(() => lint(document)).not.toThrow();
  }, 30_000);

  it('is really looked at', () => {
    expect(() => lint({ ...emitOpenApi(nameSnapshot(EXAMPLE_SCHEMA, null), OPTIONS), tags: [{ name: 'posts' }] })).toThrow();
  }, 30_000);
});
