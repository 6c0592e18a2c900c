import { Injectable } from '@nestjs/common';
import type { InsightsResponse, KeyInsight, ListResponse, RequestItem, SlowShape } from '@rowhouse/contracts';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { readKeyNames, type KeyName } from './key-names.js';
import type { RequestsQuery } from './telemetry-queries.js';
import { proposeIndex, type Table } from '@rowhouse/schema-model';
import { readTablePath } from './usage-breakdown-service.js';

/** A row of the request log. */
interface ShapeRow {
  readonly route: string;
  readonly shape: string;
  readonly requests: string;
  readonly mean_us: string;
}

/**
 * The maximum number of lines that are searched for one page. If matches are rare, a page ends early and has
 * a cursor.
 */
const LINES_PER_PAGE_MAX = 20_000;
const LINES_PER_INSIGHT_MAX = 20_000;
const ROUTES_MAX = 25;
const KEYS_MAX = 100;
const SHAPES_MAX = 10;
/**
 * The condition for requests of the console. Its keys are deleted a day after they end, whereas API keys are
 * never deleted, so a key that no longer exists was one of the console's.
 */
const IS_CONSOLE =
  "key_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_key k WHERE k.cell_id = r.cell_id AND k.id = r.key_id AND k.kind = 'api')";
const BEYOND_ANY_ID = '18446744073709551615';

interface LogRow {
  id: string;
  at: Date;
  request_id: string;
  key_id: string | null;
  method: string;
  route: string;
  status: number;
  code: string;
  duration_us: number;
  rows_out: number;
  shape: string | null;
}

interface KeyRow {
  id: string;
  name: string;
  requests: string | null;
  last_used_at: Date | null;
}

/** Lists the requests to a database: routes, statuses and times, but no stored values. */
@Injectable()
export class RequestLogService {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
  ) {}

  /** Lists requests, newest first. A page may have fewer lines than `limit`. The last page has no cursor. */
  async list(database: Pick<TenantDatabase, 'id'>, query: RequestsQuery): Promise<ListResponse<RequestItem>> {
    const window = [this.db.cellId, database.id, query.cursor ?? BEYOND_ANY_ID, LINES_PER_PAGE_MAX];
    const from = `FROM (SELECT * FROM request_log WHERE cell_id = ? AND database_id = ? AND id < ? ORDER BY id DESC LIMIT ?) r`;
    const { where, values } = toConditions(query);
    const rows = await this.db.cell.query<LogRow[]>(`SELECT * ${from}${where} ORDER BY id DESC LIMIT ?`, [
      ...window,
      ...values,
      query.limit,
    ]);
    const names = await readKeyNames(this.db, database.id, [
      ...new Set(rows.flatMap((row) => (row.key_id === null ? [] : [row.key_id]))),
    ]);
    return {
      items: rows.map((row) => toItem(row, names)),
      next_cursor: rows.length === query.limit ? String(rows.at(-1)?.id) : await this.#endOf(from, window),
    };
  }

  /** Returns the position after the searched lines, or null when no older lines exist. */
  async #endOf(from: string, window: readonly (string | number)[]): Promise<string | null> {
    const [found] = await this.db.cell.query<{ lines: string; oldest: string | null }[]>(
      `SELECT COUNT(*) AS \`lines\`, MIN(id) AS oldest ${from}`,
      [...window],
    );
    return Number(found?.lines) < LINES_PER_PAGE_MAX ? null : String(found?.oldest);
  }

  async insights(
    database: Pick<TenantDatabase, 'id' | 'snapshotHash'>,
    hours: number,
  ): Promise<InsightsResponse> {
    const since = new Date(Date.now() - hours * 3_600_000);
    const lines =
      '(SELECT * FROM request_log WHERE cell_id = ? AND database_id = ? AND at >= ? ORDER BY id DESC LIMIT ?)';
    const window = [this.db.cellId, database.id, since, LINES_PER_INSIGHT_MAX];
    const [sampled, routes, codes, keys, shapes] = await Promise.all([
      this.db.cell.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${lines} r`, window),
      this.db.cell.query<Record<string, string>[]>(
        `SELECT route, MAX(n) AS requests, SUM(status >= 500) AS errors, SUM(status BETWEEN 400 AND 499) AS refused, AVG(duration_us) AS mean_us,
           MIN(CASE WHEN place >= n * 0.5 THEN duration_us END) AS p50_us, MIN(CASE WHEN place >= n * 0.95 THEN duration_us END) AS p95_us, SUM(rows_out) AS rows_out
         FROM (SELECT r.*, ROW_NUMBER() OVER (PARTITION BY route ORDER BY duration_us) AS place, COUNT(*) OVER (PARTITION BY route) AS n FROM ${lines} r) x
         GROUP BY route ORDER BY SUM(duration_us) DESC, route LIMIT ${ROUTES_MAX}`,
        window,
      ),
      this.db.cell.query<{ code: string; status: number; n: string }[]>(
        `SELECT code, status, COUNT(*) AS n FROM ${lines} r WHERE code <> '' GROUP BY code, status ORDER BY n DESC, code LIMIT ${ROUTES_MAX}`,
        window,
      ),
      this.db.cell.query<KeyRow[]>(
        `SELECT k.id, k.name, k.last_used_at, (SELECT SUM(u.requests) FROM key_use_day u WHERE u.database_id = k.database_id AND u.key_id = k.id AND u.day >= UTC_DATE() - INTERVAL 30 DAY) AS requests
         FROM api_key k WHERE k.cell_id = ? AND k.database_id = ? AND k.kind = 'api' AND k.revoked_at IS NULL ORDER BY requests DESC, k.name LIMIT ${KEYS_MAX}`,
        [this.db.cellId, database.id],
      ),
      this.db.cell.query<ShapeRow[]>(
        `SELECT route, shape, COUNT(*) AS requests, AVG(duration_us) AS mean_us FROM ${lines} r WHERE shape IS NOT NULL GROUP BY route, shape ORDER BY SUM(duration_us) DESC LIMIT ${SHAPES_MAX}`,
        window,
      ),
    ]);
    const reported = keys.map(toKey);
    return {
      since: since.toISOString(),
      sampled: Number(sampled[0]?.n ?? 0),
      routes: routes.map((row) => ({
        route: String(row['route']),
        requests: Number(row['requests']),
        errors: Number(row['errors']),
        refused: Number(row['refused']),
        mean_ms: toMilliseconds(row['mean_us']),
        p50_ms: toMilliseconds(row['p50_us']),
        p95_ms: toMilliseconds(row['p95_us']),
        rows_out: Number(row['rows_out']),
      })),
      codes: codes.map((row) => ({ code: row.code, status: row.status, count: Number(row.n) })),
      keys: reported.filter((key) => key.requests > 0),
      unused_keys: reported.filter((key) => key.requests === 0),
      slow_shapes: toSlowShapes(shapes, (await this.snapshots.deployed(database))?.tables ?? []),
    };
  }
}

function toConditions(query: RequestsQuery): {
  readonly where: string;
  readonly values: readonly (string | number | Date)[];
} {
  const conditions: string[] = [];
  const values: (string | number | Date)[] = [];
  const add = (condition: string, ...bound: (string | number | Date)[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (query.status?.endsWith('xx'))
    add('status BETWEEN ? AND ?', Number(query.status[0]) * 100, Number(query.status[0]) * 100 + 99);
  else if (query.status !== undefined) add('status = ?', Number(query.status));
  if (query.method !== undefined) add('method = ?', query.method.toUpperCase());
  if (query.route !== undefined) add('route = ?', query.route);
  if (query.key !== undefined) add('key_id = ?', query.key);
  if (query.code !== undefined) add('code = ?', query.code);
  if (query.source === 'console') add(IS_CONSOLE);
  if (query.source === 'api') add(`NOT (${IS_CONSOLE})`);
  if (query.since !== undefined) add('at >= ?', new Date(query.since));
  if (query.until !== undefined) add('at < ?', new Date(query.until));
  if (query.request !== undefined) add('request_id = ?', query.request);
  if (query.slow_ms !== undefined) add('duration_us >= ?', query.slow_ms * 1_000);
  if (query.after !== undefined) add('id > ?', query.after);
  return { where: conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`, values };
}

function toItem(row: LogRow, names: ReadonlyMap<string, KeyName>): RequestItem {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    request_id: row.request_id,
    key_id: row.key_id,
    key_name: row.key_id === null ? null : (names.get(row.key_id)?.name ?? null),
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    duration_ms: row.duration_us / 1_000,
    rows_out: row.rows_out,
    shape: row.shape,
  };
}

function toKey(row: KeyRow): KeyInsight {
  return {
    id: row.id,
    name: row.name,
    requests: Number(row.requests ?? 0),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

function toMilliseconds(microseconds: string | undefined): number {
  return Math.round(Number(microseconds ?? 0)) / 1_000;
}

/**
 * Returns the shapes of slow requests, each with its table. If no existing index helps, a proposed index is
 * included.
 */
export function toSlowShapes(rows: readonly ShapeRow[], tables: readonly Table[]): SlowShape[] {
  return rows.flatMap((row) => {
    const table = tables.find((candidate) => candidate.path === readTablePath(row.route));
    if (table === undefined) return [];
    return [
      {
        table: table.name,
        asked: `${table.name} ${row.shape}`,
        requests: Number(row.requests),
        mean_ms: Math.round(Number(row.mean_us)) / 1_000,
        index_sql: proposeForShape(table, row.shape),
      },
    ];
  });
}

/** Returns an index for a shape of the request log, or null. */
export function proposeForShape(table: Table, shape: string): string | null {
  const parts = /^(?:where (\w+(?:, \w+)*))? ?(?:sort (\w+(?:, \w+)*))?$/.exec(shape);
  return parts === null ? null : proposeIndex(table, readList(parts[1]), readList(parts[2]));
}

function readList(list: string | undefined): string[] {
  return list?.split(', ') ?? [];
}
