import { Injectable } from '@nestjs/common';
import { PLANS, type UsageResponse, type UsageCounts, HOUR_MS } from '@rowhouse/contracts';
import { validationError } from '@rowhouse/errors';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import type { UsageQuery } from './telemetry-queries.js';

const FORMATS = {
  minute: '%Y-%m-%dT%H:%i:00.000Z',
  hour: '%Y-%m-%dT%H:00:00.000Z',
  day: '%Y-%m-%dT00:00:00.000Z',
} as const;
/** The time span of a request without `from`, in milliseconds. */
const USUAL_SPAN_MS = { minute: 3 * HOUR_MS, hour: 7 * 24 * HOUR_MS, day: 90 * 24 * HOUR_MS } as const;
/** The maximum time span in milliseconds. A long span of minutes would read too many rows. */
const SPAN_MAX_MS = { minute: 48 * HOUR_MS, hour: 100 * 24 * HOUR_MS, day: 400 * 24 * HOUR_MS } as const;
const SUMS =
  'SUM(requests) AS requests, SUM(errors) AS errors, SUM(limited) AS limited, SUM(rows_out) AS rows_out, SUM(bytes_out) AS bytes_out, SUM(duration_us) AS duration_us';

type Sums = Readonly<
  Record<'requests' | 'errors' | 'limited' | 'rows_out' | 'bytes_out' | 'duration_us', string | null>
>;

/** Returns the usage of a database by minute, hour or day. */
@Injectable()
export class UsageService {
  constructor(private readonly db: PlatformDb) {}

  /** Returns the usage, newest first. The cursor is the time of the last entry. */
  async read(database: TenantDatabase, query: UsageQuery): Promise<UsageResponse> {
    const to = query.to === undefined ? new Date() : new Date(query.to);
    const from =
      query.from === undefined ? new Date(to.getTime() - USUAL_SPAN_MS[query.step]) : new Date(query.from);
    if (from >= to)
      throw validationError('params.invalid', [
        { loc: ['query', 'from'], msg: 'from must be before to.', type: 'value_error' },
      ]);
    if (to.getTime() - from.getTime() > SPAN_MAX_MS[query.step]) {
      throw validationError('params.invalid', [
        {
          loc: ['query', 'from'],
          msg:
            `With the step ${query.step}, the range can be at most ` +
            `${SPAN_MAX_MS[query.step] / HOUR_MS / 24} days.`,
          type: 'value_error',
        },
      ]);
    }
    const before = query.cursor === undefined || new Date(query.cursor) > to ? to : new Date(query.cursor);
    const where = 'FROM usage_minute WHERE cell_id = ? AND database_id = ? AND minute >= ? AND minute < ?';
    const [rows, totals] = await Promise.all([
      this.db.cell.query<(Sums & { bucket: string })[]>(
        `SELECT DATE_FORMAT(minute, '${FORMATS[query.step]}') AS bucket, ${SUMS} ${where} GROUP BY bucket ORDER BY bucket DESC LIMIT ?`,
        [this.db.cellId, database.id, from, before, query.limit],
      ),
      this.db.cell.query<Sums[]>(`SELECT ${SUMS} ${where}`, [this.db.cellId, database.id, from, to]),
    ]);
    return {
      items: rows.map((row) => ({ at: row.bucket, ...toCounts(row) })),
      next_cursor: rows.length < query.limit ? null : (rows.at(-1)?.bucket ?? null),
      from: from.toISOString(),
      to: to.toISOString(),
      totals: toCounts(totals[0]),
      storage: {
        bytes: database.storageBytes,
        bytes_max: PLANS[database.plan].storageBytesMax,
        measured_at: database.storageMeasuredAt?.toISOString() ?? null,
        is_full: database.storageFull,
      },
    };
  }
}

function toCounts(sums: Sums | undefined): UsageCounts {
  const of = (name: keyof Sums): number => Number(sums?.[name] ?? 0);
  const requests = of('requests');
  return {
    requests,
    errors: of('errors'),
    limited: of('limited'),
    rows_out: of('rows_out'),
    bytes_out: of('bytes_out'),
    mean_ms: requests === 0 ? 0 : Math.round(of('duration_us') / requests) / 1_000,
  };
}
