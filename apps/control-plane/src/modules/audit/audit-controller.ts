import { Controller, Get, Query } from '@nestjs/common';
import type { AuditItem, ListResponse } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { auditItem } from '../../response-schemas/accounts.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AuditService, auditQuery, type AuditQuery } from './audit-service.js';

@Controller('api')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get('organizations/:id/audit')
  @Route({
    id: 'listOrganizationAudit',
    costClass: 'read',
    summary: 'List the audit events of an organization',
    access: roleOn('organization', 'admin'),
    query: auditQuery,
    answer: listOf(auditItem),
  })
  ofOrganization(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', auditQuery)) page: AuditQuery,
  ): Promise<ListResponse<AuditItem>> {
    return this.audit.list({ organizationId: context.reach.organizationId }, page);
  }

  @Get('projects/:id/audit')
  @Route({
    id: 'listProjectAudit',
    costClass: 'read',
    summary: 'List the audit events of a project',
    access: roleOn('project', 'admin'),
    query: auditQuery,
    answer: listOf(auditItem),
  })
  ofProject(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', auditQuery)) page: AuditQuery,
  ): Promise<ListResponse<AuditItem>> {
    return this.audit.list(
      { organizationId: context.reach.organizationId, projectId: context.project.id },
      page,
    );
  }

  @Get('databases/:id/audit')
  @Route({
    id: 'listDatabaseAudit',
    costClass: 'read',
    summary: 'List the audit events of a database',
    access: roleOn('database', 'admin'),
    query: auditQuery,
    answer: listOf(auditItem),
  })
  ofDatabase(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', auditQuery)) page: AuditQuery,
  ): Promise<ListResponse<AuditItem>> {
    return this.audit.list(
      {
        organizationId: context.reach.organizationId,
        projectId: context.project.id,
        databaseId: context.database.id,
      },
      page,
    );
  }
}
