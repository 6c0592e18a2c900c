import { faultAt, validationError } from '@rowhouse/errors';
import { describeSchemaSteps, doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import type { Gateway } from './gateway.js';
import { keepDocument, type KeptDocument } from './kept-document.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

type Format = 'json' | 'sql';

/** The number of tables serialized in one slice. */
const TABLES_PER_TURN = 50;

/** `GET /v1/-/schema`: describes what this key may see, as JSON or with `?format=sql` as SQL. */
export async function serveSchema(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    requireScope(tenant, 'schema');
    const format = readFormat(call.rawQuery);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled }) => {
      const { bytes, pack } = await writeSchema(gateway, compiled, tenant, format);
      const headers = { 'Content-Type': format === 'sql' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8', ETag: toTag(compiled, tenant, format), ...admitted.headers };
      return { status: 200, headers, body: bytes, pack };
    });
  } finally {
    admitted.release();
  }
}

/**
 * Returns the ETag. It starts with the snapshot's number, so that a deploy is visible. The rest covers
 * everything else on which the text depends.
 */
function toTag(compiled: CompiledSnapshot, tenant: Tenant, format: Format): string {
  return `"${compiled.number}.${tenant.database.record.version}.${tenant.view.name.slice(0, 12)}.${format}"`;
}

/** The texts of each view, by version of the database row and format. */
const written = new WeakMap<CompiledSnapshot, Map<string, Promise<KeptDocument>>>();

/** Writes the text once. Concurrent callers wait for the same one. */
function writeSchema(gateway: Gateway, compiled: CompiledSnapshot, tenant: Tenant, format: Format): Promise<KeptDocument> {
  const texts = written.get(compiled) ?? new Map<string, Promise<KeptDocument>>();
  written.set(compiled, texts);
  const name = `${tenant.database.record.version} ${format}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = describe(gateway, compiled, tenant, format);
    if (texts.size > 4) texts.clear();
    texts.set(name, text);
    text.catch(() => texts.delete(name));
  }
  return text;
}

/** Describes the schema in slices between other requests. */
async function describe(gateway: Gateway, compiled: CompiledSnapshot, { database: { record } }: Tenant, format: Format): Promise<KeptDocument> {
  const turn = (): Promise<void> => gateway.turns.turn(record.schemaName);
  const { sql, tables, ...head } = await doStepsInTurns(describeSchemaSteps(compiled, { project: record.projectName, database: record.environment }), turn);
  if (format === 'sql') return keepDocument([sql], turn);
  const texts: string[] = [];
  for (let at = 0; at < tables.length; at += TABLES_PER_TURN) {
    if (at > 0) await turn();
    texts.push(`${at === 0 ? '' : ','}${JSON.stringify(tables.slice(at, at + TABLES_PER_TURN)).slice(1, -1)}`);
  }
  return keepDocument([`{${JSON.stringify(head).slice(1, -1)},"tables":[`, ...texts, `],"sql":${JSON.stringify(sql)}}`], turn);
}

function readFormat(rawQuery: string): Format {
  let format: Format = 'json';
  for (const pair of rawQuery === '' ? [] : rawQuery.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name !== 'format') throw validationError('params.invalid', [faultAt(['query', name], 'unknown parameter', 'unknown_parameter')], 'Only format=json and format=sql are known here.');
    if (value !== 'json' && value !== 'sql') throw validationError('params.invalid', [faultAt(['query', 'format'], 'must be json or sql', 'enum')]);
    format = value;
  }
  return format;
}
