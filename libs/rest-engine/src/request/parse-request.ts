import { AppError, faultAt, validationError } from '@rowhouse/errors';
import { toUrlPath, type CompiledSnapshot, type CompiledTable } from '@rowhouse/schema-model';
import type { ApiRequest, KeyText, ParseOptions, RawRequest } from './api-request.js';
import {
  checkHeaders,
  parseIdempotencyKey,
  parseIfMatch,
  parseIfNoneMatch,
  parsePreferences,
} from './parse-headers.js';
import { decodePercent } from './decode-percent.js';
import { inBody } from './fault-list.js';
import type { JsonValue } from './json-value.js';
import { parseMembers, parseParameters, type ParameterUse } from './parse-parameters.js';
import { parsePath, decodeOnlyKey } from './parse-path.js';

/** Parses a request. Throws AppError with status 400, 404, 405, 406, 412 or 422. */
export function parseRequest(raw: RawRequest, compiled: CompiledSnapshot, options: ParseOptions): ApiRequest {
  const { table, rawKey, isSearch } = parsePath(raw.rawPath, compiled);
  if (isSearch) return parseSearch(table, raw, options);
  const kind = findKind(raw.method, table, rawKey !== null);
  const isWrite = kind !== 'list' && kind !== 'read';
  const format = checkHeaders(raw.headers, kind);
  const base = {
    idempotencyKey: isWrite ? parseIdempotencyKey(raw.headers) : null,
    table,
    address: { prefix: options.prefix, rawPath: raw.rawPath, rawQuery: raw.rawQuery },
    preferences: parsePreferences(raw.headers, isWrite),
  };
  const parameters = parseParameters(raw.rawQuery, PARAMETER_USES[kind]);
  switch (kind) {
    case 'list':
      return { kind, ...base, parameters, format };
    case 'read':
      return { kind, ...base, parameters, key: splitKey(table, rawKey) };
    case 'create':
      return { kind, ...base, parameters, body: readBody(raw.body) };
    case 'update':
      return {
        kind,
        ...base,
        parameters,
        ...parseTarget(table, rawKey, raw.headers),
        body: readBody(raw.body),
      };
    case 'update_many':
      return { kind, ...base, parameters, body: readBody(raw.body) };
    case 'delete_many':
      return { kind, ...base, parameters };
    case 'delete':
      return { kind, ...base, parameters, ...parseTarget(table, rawKey, raw.headers) };
  }
}

/** Parses the key of the record to write, and the versions that `If-Match` and `If-None-Match` require. */
function parseTarget(table: CompiledTable, rawKey: string | null, headers: RawRequest['headers']) {
  return {
    key: splitKey(table, rawKey),
    ifMatch: parseIfMatch(headers),
    ifNoneMatch: parseIfNoneMatch(headers),
  };
}

/** Parses a list request whose parameters are in the body, because they are secret or too long for a URL. */
function parseSearch(table: CompiledTable, raw: RawRequest, options: ParseOptions): ApiRequest {
  if (raw.method !== 'POST') throw notAllowed('POST', 'To send the parameters in the URL, use GET /{table}.');
  const format = checkHeaders(raw.headers, 'list');
  if (raw.rawQuery !== '')
    throw validationError('params.invalid', [
      faultAt(['query'], 'Put the parameters of a search in its body.', 'unknown_parameter'),
    ]);
  const address = { prefix: options.prefix, rawPath: raw.rawPath, rawQuery: '', isBody: true };
  return {
    kind: 'list',
    format,
    idempotencyKey: null,
    table,
    address,
    preferences: parsePreferences(raw.headers, false),
    parameters: inBody(() => parseMembers(readBody(raw.body))),
  };
}

const PARAMETER_USES: Readonly<Record<ApiRequest['kind'], ParameterUse>> = {
  list: 'list',
  read: 'record',
  create: 'create',
  update: 'none',
  delete: 'none',
  update_many: 'filters',
  delete_many: 'filters',
};

function findKind(method: string, table: CompiledTable, hasKey: boolean): ApiRequest['kind'] {
  if (hasKey && table.rowKey === null) throw new AppError('table.no_key');
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead) return hasKey ? 'read' : 'list';
  if (table.kind === 'view') throw new AppError('table.read_only', { headers: { Allow: 'GET, HEAD' } });
  if (hasKey) {
    if (method === 'PUT' || method === 'PATCH') return 'update';
    if (method === 'DELETE') return 'delete';
    throw notAllowed('GET, HEAD, PUT, PATCH, DELETE', 'Records are created by POST to the table itself.');
  }
  if (method === 'POST') return 'create';
  if (method === 'PUT' || method === 'PATCH') return 'update_many';
  if (method === 'DELETE') return 'delete_many';
  throw notAllowed('GET, HEAD, POST, PUT, PATCH, DELETE', 'List records with GET and create them with POST.');
}

function notAllowed(allow: string, hint: string): AppError {
  return new AppError('request.method_not_allowed', { headers: { Allow: allow }, hint });
}

/**
 * Returns the decoded parts of `{id}`. The segment is split before decoding, so an escaped comma is part of a
 * value.
 */
function splitKey(table: CompiledTable, rawKey: string | null): KeyText {
  const parts = table.rowKey?.length ?? 1;
  if (parts === 1) return [decodeOnlyKey(rawKey ?? '')];
  const raw = (rawKey ?? '').split(',');
  if (raw.length !== parts) {
    const names = (table.rowKey ?? []).map((column) => column.name);
    throw new AppError('key.invalid', {
      faults: [
        faultAt(['path', 'id'], `The identifier must have ${parts} parts: ${names.join(',')}.`, 'key_parts'),
      ],
      hint: `Join them with commas: /${toUrlPath(table.path)}/${names.map((name) => `{${name}}`).join(',')}.`,
      extra: { key_columns: names },
    });
  }
  return raw.map((part) => decodePercent(part, false));
}

function readBody(body: JsonValue | undefined): JsonValue {
  if (body === undefined)
    throw validationError('body.invalid', [faultAt(['body'], 'A JSON body is missing.', 'missing')]);
  return body;
}
