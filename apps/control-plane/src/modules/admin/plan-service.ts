import { Injectable } from '@nestjs/common';
import { PLANS, type PlanName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { IsNull } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';

export interface PlanResponse {
  database: string;
  plan: PlanName;
  storage_bytes: number;
  storage_bytes_max: number | null;
  storage_measured_at: string | null;
  is_full: boolean;
  request_log_days: number;
  usage_days: number;
}

/** Assigns plans to databases. */
@Injectable()
export class PlanService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
  ) {}

  async get(id: string): Promise<PlanResponse> {
    const row = await this.db.cell
      .getRepository(TenantDatabase)
      .findOneBy({ id, cellId: this.db.cellId, deletedAt: IsNull() });
    if (row === null) throw new AppError('resource.not_found', { detail: 'The database does not exist.' });
    const { requestLogDays, usageDays, storageBytesMax } = PLANS[row.plan];
    return {
      database: row.id,
      plan: row.plan,
      storage_bytes: row.storageBytes,
      storage_bytes_max: storageBytesMax,
      storage_measured_at: row.storageMeasuredAt?.toISOString() ?? null,
      is_full: row.storageFull,
      request_log_days: requestLogDays,
      usage_days: usageDays,
    };
  }

  /** The worker applies the new quota with its next measurement, within a minute. */
  async assign(context: RequestContext, id: string, plan: PlanName): Promise<PlanResponse> {
    const before = await this.get(id);
    await this.audit.changeCell(
      context,
      {
        action: 'database.plan',
        target: id,
        databaseId: id,
        detail: { from: before.plan, to: plan },
      },
      (manager) => manager.getRepository(TenantDatabase).update({ id }, { plan }),
    );
    return this.get(id);
  }
}
