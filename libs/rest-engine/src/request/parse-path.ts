import { AppError, nearestNames } from '@rowhouse/errors';
import { RESERVED_SEGMENTS, type CompiledSnapshot, type CompiledTable } from '@rowhouse/schema-model';
import { decodePercent } from './decode-percent.js';

/**
 * Keys that cannot be a path segment by themselves. Clients resolve `.` and `..` even when they are escaped,
 * and an empty segment addresses no record. Such a key is followed by a comma, which other keys never contain
 * unescaped.
 */
const ODD_KEYS: ReadonlySet<string> = new Set(['', '.', '..']);

export interface TablePath {
  readonly table: CompiledTable;
  /** The segment `{id}` before decoding. Null if the path addresses the whole table. */
  readonly rawKey: string | null;
  /** Whether the path is `/_search/{table}`, where the body contains the parameters of a list. */
  readonly isSearch: boolean;
}

/**
 * Finds the table and the undecoded key of a path such as `/posts/5`. The first segment is compared with
 * reserved words, then with the API's own segments that begin with `_`, then with published paths, then with
 * table names. Throws 404.
 */
export function parsePath(rawPath: string, compiled: CompiledSnapshot): TablePath {
  const raw = rawPath.slice(1).split('/');
  const decoded = raw.map((segment) => decodePercent(segment, false));
  if (
    !rawPath.startsWith('/') ||
    decoded.some((segment) => segment === '' || segment === '.' || segment === '..')
  )
    throw notFound();
  const isLong = raw[0] === '_tables';
  const isSearch = raw[0] === '_search';
  const own = isLong || isSearch ? 2 : 1;
  if (raw.length > own + (isSearch ? 0 : 1) || raw.length < own)
    throw notFound(undefined, hintRelated(raw, compiled));
  const segment = decoded[own - 1] ?? '';
  const table = isLong ? compiled.findByName(segment) : findTable(segment, compiled);
  if (table === null) throw unknownTable(segment, compiled);
  return { table, rawKey: raw[own] ?? null, isSearch };
}

function findTable(segment: string, compiled: CompiledSnapshot): CompiledTable | null {
  if (RESERVED_SEGMENTS.has(segment)) throw notFound();
  if (segment.startsWith('_'))
    throw notFound(
      segment === '_batch' ? 'Send a batch as POST /_batch. A batch cannot contain another one.' : undefined,
    );
  return compiled.findByPath(segment) ?? compiled.findByName(segment);
}

/**
 * Returns a hint for a path such as `/posts/1/comments`. Other APIs use this form for the related records of
 * one record.
 */
function hintRelated(raw: readonly string[], compiled: CompiledSnapshot): string | undefined {
  const [path = '', key = '', name = '', ...more] = raw;
  const relationship =
    more.length > 0 ? null : (compiled.findByPath(path)?.findRelationship(name.replaceAll('-', '_')) ?? null);
  return relationship === null
    ? undefined
    : `To read related records, use /${path}/${key}?include=${relationship.name}.`;
}

function notFound(detail?: string, hint?: string): AppError {
  return new AppError('request.not_found', {
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function unknownTable(segment: string, compiled: CompiledSnapshot): AppError {
  const similarNames = nearestNames(segment, compiled.tableNames);
  const hint =
    similarNames.length === 0 ? 'GET /v1/-/ lists the tables.' : `Did you mean ${similarNames.join(' or ')}?`;
  return new AppError('table.not_found', { detail: `Entity ${segment} does not exist`, hint });
}

/** Returns the path segment of a single-column key. */
export function encodeOnlyKey(key: string): string {
  return ODD_KEYS.has(key) ? `${key},` : encodeURIComponent(key);
}

/** Returns the single-column key for a path segment. */
export function decodeOnlyKey(rawKey: string): string {
  if (!rawKey.endsWith(',')) return decodePercent(rawKey, false);
  const key = decodePercent(rawKey.slice(0, -1), false);
  return ODD_KEYS.has(key) ? key : `${key},`;
}
