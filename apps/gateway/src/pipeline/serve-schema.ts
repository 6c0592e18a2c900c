import { faultAt, validationError } from '@rowhouse/errors';
import { describeSchemaSteps, doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import type { Gateway } from './gateway.js';
import { keepDocument, type KeptDocument } from './kept-document.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

type Format = 'json' | 'sql';

/** Written in one piece. */
const TABLES_PER_TURN = 50;

/** `GET /v1/-/schema`, and its SQL with `?format=sql`. Of what this key may see. */
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

/** The snapshot's number first, so that a new deploy is seen in the tag; then what else the text depends on. */
function toTag(compiled: CompiledSnapshot, tenant: Tenant, format: Format): string {
  return `"${compiled.number}.${tenant.database.record.version}.${tenant.view.name.slice(0, 12)}.${format}"`;
}

/** One text for each view and version of the database's row. */
const written = new WeakMap<CompiledSnapshot, Map<string, Promise<KeptDocument>>>();

/** Who asks while it is written waits for the same one. */
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

/** In turns with others' requests. */
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
