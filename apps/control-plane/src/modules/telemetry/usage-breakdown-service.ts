import { Injectable } from '@nestjs/common';
import { type UsageBreakdownResponse, type UsageShare, DAY_MS } from '@rowhouse/contracts';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { readKeyNames } from './key-names.js';
import type { BreakdownQuery } from './telemetry-queries.js';

const SHARES_MAX = 50;
/**
 * The maximum number of combinations of key, route and day. Beyond this number, the least used ones are
 * ignored.
 */
const LINES_MAX = 50_000;

interface UseRow {
  readonly day: string;
  readonly part: string;
  readonly requests: string;
}

/** Breaks the usage of a database down by key and by table, based on the gateways' counters. */
@Injectable()
export class UsageBreakdownService {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
  ) {}

  async read(database: TenantDatabase, { by, days }: BreakdownQuery): Promise<UsageBreakdownResponse> {
    const since = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    const part = by === 'key' ? 'key_id' : 'route';
    const rows = await this.db.cell.query<UseRow[]>(
      `SELECT DATE_FORMAT(day, '%Y-%m-%d') AS day, ${part} AS part, SUM(requests) AS requests FROM key_use_day
       WHERE cell_id = ? AND database_id = ? AND day >= ? GROUP BY day, part ORDER BY requests DESC LIMIT ${LINES_MAX}`,
      [this.db.cellId, database.id, since],
    );
    const shares =
      by === 'key' ? await this.#shareByKey(database.id, rows) : await this.#shareByTable(database, rows);
    return { by, since, items: shares.slice(0, SHARES_MAX) };
  }

  /** Sums the usage by key. All console keys are summed as one entry, under the id of one of them. */
  async #shareByKey(databaseId: string, rows: readonly UseRow[]): Promise<UsageShare[]> {
    const names = await readKeyNames(this.db, databaseId);
    const consoleId = rows.find((row) => names.get(row.part)?.isConsole === true)?.part;
    const shares = addUp(rows, ({ part }) =>
      names.get(part)?.isConsole === true ? (consoleId ?? part) : part,
    );
    return shares.map((share) => ({ ...share, name: names.get(share.id ?? '')?.name ?? 'a deleted key' }));
  }

  async #shareByTable(database: TenantDatabase, rows: readonly UseRow[]): Promise<UsageShare[]> {
    const names = await this.#nameTables(database);
    return addUp(rows, (row) => readTablePath(row.part)).map((share) => ({
      ...share,
      name: share.id === null ? 'Queries and other requests' : (names.get(share.id) ?? share.id),
    }));
  }

  async #nameTables(database: TenantDatabase): Promise<ReadonlyMap<string, string>> {
    const tables = (await this.snapshots.deployed(database))?.tables ?? [];
    return new Map(tables.map((table) => [table.path, table.name]));
  }
}

/**
 * Returns `posts` for `GET /posts/{id}`, and null for routes without a table: `POST /query`, `GET /schema`,
 * `GET /{table}` of an unknown table, and unknown routes.
 */
export function readTablePath(route: string): string | null {
  const path = /^[A-Z]+ \/([^/]+)/.exec(route)?.[1] ?? null;
  return path === null ||
    path.startsWith('_') ||
    path.startsWith('{') ||
    ['query', 'schema', 'health', 'mcp', 'openapi.json', 'openapi.yaml'].includes(path)
    ? null
    : path;
}

function addUp(rows: readonly UseRow[], idOf: (row: UseRow) => string | null): Omit<UsageShare, 'name'>[] {
  const shares = new Map<string | null, Map<string, number>>();
  for (const row of rows) {
    const id = idOf(row);
    const days = shares.get(id) ?? new Map<string, number>();
    days.set(row.day, (days.get(row.day) ?? 0) + Number(row.requests));
    shares.set(id, days);
  }
  const reported = [...shares].map(([id, days]) => ({
    id,
    requests: [...days.values()].reduce((sum, count) => sum + count, 0),
    days: [...days].map(([day, requests]) => ({ day, requests })).sort((a, b) => a.day.localeCompare(b.day)),
  }));
  return reported.sort((a, b) => b.requests - a.requests);
}
