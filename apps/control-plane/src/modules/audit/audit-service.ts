import { Injectable } from '@nestjs/common';
import type { AuditItem, ListResponse } from '@rowhouse/contracts';
import { In } from 'typeorm';
import { Account } from '../../platform-db/entities/account.js';
import { AuditEvent } from '../../platform-db/entities/audit-event.js';
import { PlatformDb } from '../../platform-db/platform-db.js';

import { z } from 'zod';
import { pageQuery } from '../../http/zod-pipe.js';

const instant = z.iso.datetime({ offset: true });

export const auditQuery = pageQuery.extend({
  /** An action such as `key.create`, or a kind such as `key` for all of its actions. */
  action: z
    .string()
    .max(64)
    .regex(/^[a-z_]+(\.[a-z_]+)*$/)
    .optional(),
  account: z.string().max(40).optional(),
  since: instant.optional(),
  until: instant.optional(),
});

export type AuditQuery = z.infer<typeof auditQuery>;
export interface AuditScope {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly databaseId?: string;
}

/** Lists audit events, newest first. */
@Injectable()
export class AuditService {
  constructor(private readonly db: PlatformDb) {}

  async list(scope: AuditScope, page: AuditQuery): Promise<ListResponse<AuditItem>> {
    const query = this.db.global
      .getRepository(AuditEvent)
      .createQueryBuilder('event')
      .where('event.organizationId = :organizationId', { organizationId: scope.organizationId });
    if (scope.projectId !== undefined)
      query.andWhere('event.projectId = :projectId', { projectId: scope.projectId });
    if (scope.databaseId !== undefined)
      query.andWhere("JSON_UNQUOTE(JSON_EXTRACT(event.detail, '$.database_id')) = :databaseId", {
        databaseId: scope.databaseId,
      });
    if (page.action !== undefined)
      query.andWhere('(event.action = :action OR event.action LIKE :below)', {
        action: page.action,
        below: `${page.action.replaceAll(/[\\%_]/g, '\\$&')}.%`,
      });
    if (page.account !== undefined)
      query.andWhere('event.accountId = :accountId', { accountId: page.account });
    if (page.since !== undefined) query.andWhere('event.at >= :since', { since: new Date(page.since) });
    if (page.until !== undefined) query.andWhere('event.at < :until', { until: new Date(page.until) });
    if (page.cursor !== undefined)
      query.andWhere('event.id < :before', { before: /^\d{1,20}$/.test(page.cursor) ? page.cursor : '0' });
    const rows = await query.orderBy('event.id', 'DESC').take(page.limit).getMany();
    const accounts = await this.db.global.getRepository(Account).find({
      where: { id: In([...new Set(rows.flatMap((row) => row.accountId ?? []))]) },
      select: { id: true, email: true },
    });
    const emails = new Map(accounts.map((account) => [account.id, account.email]));
    return {
      items: rows.map((row) => toItem(row, emails)),
      next_cursor: rows.length < page.limit ? null : (rows.at(-1)?.id ?? null),
    };
  }
}

function toItem(row: AuditEvent, emails: ReadonlyMap<string, string>): AuditItem {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    account_id: row.accountId,
    account_email: emails.get(row.accountId ?? '') ?? '',
    project_id: row.projectId,
    action: row.action,
    target: row.target,
    detail: row.detail ?? {},
    address: row.address,
    request_id: row.requestId,
  };
}
