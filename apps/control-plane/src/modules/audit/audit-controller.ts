import { Controller, Get, Query } from '@nestjs/common';
import type { ListAnswer } from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { auditItem, listOf } from '../../answers/answer-schemas.js';
import { pageQuery } from '../../http/page-query.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AuditService, type AuditItem } from './audit-service.js';

type Page = z.infer<typeof pageQuery>;

@Controller('api')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get('organizations/:id/audit')
  @Route({ id: 'listOrganizationAudit', summary: 'What was done in an organization', access: roleOn('organization', 'admin'), query: pageQuery, answer: listOf(auditItem) })
  ofOrganization(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) page: Page): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId }, page);
  }

  @Get('projects/:id/audit')
  @Route({ id: 'listProjectAudit', summary: 'What was done in a project', access: roleOn('project', 'admin'), query: pageQuery, answer: listOf(auditItem) })
  ofProject(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) page: Page): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId, projectId: call.project.id }, page);
  }

  @Get('databases/:id/audit')
  @Route({ id: 'listDatabaseAudit', summary: 'What was done to a database', access: roleOn('database', 'admin'), query: pageQuery, answer: listOf(auditItem) })
  ofDatabase(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) page: Page): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId, projectId: call.project.id, databaseId: call.database.id }, page);
  }
}
