import { Injectable } from '@nestjs/common';
import { PLANS, type LimitItem, type LimitsResponse, DAY_MS } from '@rowhouse/contracts';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * Returns the counted limits of a database with their current use. The gateway returns limits of single
 * requests at `/health`.
 */
@Injectable()
export class LimitService {
  constructor(private readonly db: PlatformDb) {}

  async read(database: TenantDatabase): Promise<LimitsResponse> {
    const [rate, limited, tokens] = await Promise.all([
      this.#readRate(database.id),
      this.#countLimited(database.id),
      this.#countTokens(database.projectId),
    ]);
    return {
      plan: database.plan,
      limited_today: limited,
      items: [storageOf(database), rateOf(database, rate), tokensOf(database, tokens)],
    };
  }

  /** Returns the requests per second over the last complete minute. */
  async #readRate(databaseId: string): Promise<number> {
    const [row] = await this.db.cell.query<{ requests: string | null }[]>(
      `SELECT SUM(requests) AS requests FROM usage_minute WHERE cell_id = ? AND database_id = ? AND minute = (SELECT MAX(minute) FROM usage_minute
       WHERE cell_id = ? AND database_id = ? AND minute >= UTC_TIMESTAMP() - INTERVAL 3 MINUTE AND minute < UTC_TIMESTAMP() - INTERVAL 60 SECOND)`,
      [this.db.cellId, databaseId, this.db.cellId, databaseId],
    );
    return Math.round((Number(row?.requests ?? 0) / 60) * 10) / 10;
  }

  async #countLimited(databaseId: string): Promise<number> {
    const [row] = await this.db.cell.query<{ limited: string | null }[]>(
      'SELECT SUM(limited) AS limited FROM usage_minute WHERE cell_id = ? AND database_id = ? AND minute >= UTC_DATE()',
      [this.db.cellId, databaseId],
    );
    return Number(row?.limited ?? 0);
  }

  /** Counts the tokens of all databases of the project, because they share one budget. */
  async #countTokens(projectId: string): Promise<number> {
    const [row] = await this.db.cell.query<{ tokens: string | null }[]>(
      'SELECT SUM(tokens_in + tokens_out) AS tokens FROM model_use_day WHERE project_id = ? AND day = UTC_DATE()',
      [projectId],
    );
    return Number(row?.tokens ?? 0);
  }
}

function storageOf(database: TenantDatabase): LimitItem {
  const isMeasured = database.storageMeasuredAt !== null;
  return {
    name: 'storage',
    unit: 'bytes',
    used: isMeasured ? database.storageBytes : null,
    max: PLANS[database.plan].storageBytesMax,
    resets_at: null,
    is_reached: database.storageFull,
  };
}

function rateOf(database: TenantDatabase, used: number): LimitItem {
  const max = database.settings.rate?.per_second ?? null;
  return {
    name: 'requests',
    unit: 'requests_per_second',
    used,
    max,
    resets_at: null,
    is_reached: max !== null && used >= max,
  };
}

function tokensOf(database: TenantDatabase, used: number): LimitItem {
  const max = database.settings.language_model_tokens_per_day ?? null;
  const midnight = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS).toISOString();
  return {
    name: 'language_model_tokens',
    unit: 'tokens',
    used,
    max,
    resets_at: midnight,
    is_reached: max !== null && used >= max,
  };
}
