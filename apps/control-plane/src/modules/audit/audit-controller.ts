import { Controller, Get, Query } from '@nestjs/common';
import type { AuditItem, ListAnswer } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { auditItem, listOf } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { auditQuery, type AuditQuery } from './audit-query.js';
import { AuditService } from './audit-service.js';

@Controller('api')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get('organizations/:id/audit')
  @Route({ id: 'listOrganizationAudit', weight: 'read', summary: 'What was done in an organization', access: roleOn('organization', 'admin'), query: auditQuery, answer: listOf(auditItem) })
  ofOrganization(@Call() call: CallContext, @Query(new ZodPipe('query', auditQuery)) page: AuditQuery): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId }, page);
  }

  @Get('projects/:id/audit')
  @Route({ id: 'listProjectAudit', weight: 'read', summary: 'What was done in a project', access: roleOn('project', 'admin'), query: auditQuery, answer: listOf(auditItem) })
  ofProject(@Call() call: CallContext, @Query(new ZodPipe('query', auditQuery)) page: AuditQuery): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId, projectId: call.project.id }, page);
  }

  @Get('databases/:id/audit')
  @Route({ id: 'listDatabaseAudit', weight: 'read', summary: 'What was done to a database', access: roleOn('database', 'admin'), query: auditQuery, answer: listOf(auditItem) })
  ofDatabase(@Call() call: CallContext, @Query(new ZodPipe('query', auditQuery)) page: AuditQuery): Promise<ListAnswer<AuditItem>> {
    return this.audit.list({ organizationId: call.reach.organizationId, projectId: call.project.id, databaseId: call.database.id }, page);
  }
}
