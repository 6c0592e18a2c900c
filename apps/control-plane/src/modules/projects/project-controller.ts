import { Body, Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import {
  confirmNameRequest,
  createProjectRequest,
  moveProjectRequest,
  updateProjectRequest,
  type CreateProjectRequest,
  type ListResponse,
  type MigrationResponse,
  type ProjectResponse,
  type ProjectItem,
} from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { roleOn, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import { migrationResponse } from '../../response-schemas/migrations.js';
import { projectResponse, projectItem } from '../../response-schemas/databases.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { ProjectService } from './project-service.js';

const createdProject = projectResponse.extend({ migrations: z.array(migrationResponse).optional() });

@Controller('api/projects')
export class ProjectController {
  constructor(private readonly projects: ProjectService) {}

  @Get()
  @Route({
    id: 'listProjects',
    summary: 'List the projects you can see',
    access: SIGNED_IN,
    answer: listOf(projectItem),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<ProjectItem>> {
    return { items: await this.projects.list(context), next_cursor: null };
  }

  @Post()
  @Route({
    id: 'createProject',
    access: SIGNED_IN,
    body: createProjectRequest,
    answer: createdProject,
    status: 201,
    alsoStatus: 202,
    summary:
      'Create a project with a development and a production database. Returns 202 with ' +
      '`migrations` while its starter is being deployed',
  })
  async create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createProjectRequest)) body: CreateProjectRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProjectResponse & { migrations?: MigrationResponse[] }> {
    const answer = await this.projects.create(context, body);
    if (answer.migrations !== undefined) reply.status(202);
    return answer;
  }

  @Get(':id')
  @Route({
    id: 'getProject',
    summary: 'Get a project with its databases',
    access: roleOn('project', 'viewer'),
    answer: projectResponse,
  })
  get(@Call() context: RequestContext): Promise<ProjectResponse> {
    return this.projects.toResponse(context.project);
  }

  @Patch(':id')
  @Route({
    id: 'renameProject',
    summary: 'Rename a project',
    access: roleOn('project', 'admin'),
    body: updateProjectRequest,
    answer: projectResponse,
  })
  rename(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', updateProjectRequest)) body: z.infer<typeof updateProjectRequest>,
  ): Promise<ProjectResponse> {
    return this.projects.rename(context, body.name);
  }

  @Delete(':id')
  @Route({
    id: 'deleteProject',
    summary: 'Delete a project. `confirm` is its name. It can be restored for seven days',
    access: roleOn('project', 'admin'),
    body: confirmNameRequest,
  })
  delete(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', confirmNameRequest)) body: z.infer<typeof confirmNameRequest>,
  ): Promise<void> {
    return this.projects.delete(context, body.confirm);
  }

  @Post(':id/move')
  @Route({
    id: 'moveProject',
    summary:
      'Move a project to another organization that you also own. Keys and connections of its members stay valid',
    access: roleOn('project', 'owner'),
    body: moveProjectRequest,
    answer: projectResponse,
  })
  move(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', moveProjectRequest)) body: z.infer<typeof moveProjectRequest>,
  ): Promise<ProjectResponse> {
    return this.projects.move(context, body.organization_id);
  }

  @Post(':id/restore')
  @Route({
    id: 'restoreProject',
    summary: 'Restore a deleted project within seven days',
    access: { kind: 'role', on: 'project', least: 'admin', deleted: true },
    answer: projectResponse,
  })
  restore(@Call() context: RequestContext): Promise<ProjectResponse> {
    return this.projects.restore(context);
  }
}
