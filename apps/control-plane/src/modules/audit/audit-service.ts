import { Injectable } from '@nestjs/common';
import type { ListAnswer } from '@rowhouse/contracts';
import { AuditEvent } from '../../platform-db/entities/audit-event.js';
import { PlatformDb } from '../../platform-db/platform-db.js';

export interface AuditItem {
  id: string;
  at: string;
  account_id: string | null;
  project_id: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  address: string;
  request_id: string;
}

export interface AuditScope {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly databaseId?: string;
}

/** Reads what was done, newest first. */
@Injectable()
export class AuditService {
  constructor(private readonly db: PlatformDb) {}

  async list(scope: AuditScope, page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<ListAnswer<AuditItem>> {
    const query = this.db.global.getRepository(AuditEvent).createQueryBuilder('event').where('event.organizationId = :organizationId', { organizationId: scope.organizationId });
    if (scope.projectId !== undefined) query.andWhere('event.projectId = :projectId', { projectId: scope.projectId });
    if (scope.databaseId !== undefined) query.andWhere("JSON_UNQUOTE(JSON_EXTRACT(event.detail, '$.database_id')) = :databaseId", { databaseId: scope.databaseId });
    if (page.cursor !== undefined) query.andWhere('event.id < :before', { before: /^\d{1,20}$/.test(page.cursor) ? page.cursor : '0' });
    const rows = await query.orderBy('event.id', 'DESC').take(page.limit).getMany();
    return { items: rows.map(toItem), next_cursor: rows.length < page.limit ? null : (rows.at(-1)?.id ?? null) };
  }
}

function toItem(row: AuditEvent): AuditItem {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    account_id: row.accountId,
    project_id: row.projectId,
    action: row.action,
    target: row.target,
    detail: row.detail ?? {},
    address: row.address,
    request_id: row.requestId,
  };
}
