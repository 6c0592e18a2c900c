import type {
  ConnectionResponse,
  DatabaseResponse,
  ListResponse,
  ProjectResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import type { ControlApi } from './control-api-caller.js';
import { defineTool, environment, projectId, type ControlTool } from './control-tool.js';
import { findDatabase, getProject, projectPath } from './find-database.js';

const getProjects = defineTool({
  name: 'get_projects',
  title: 'List projects',
  description: 'Lists the projects that this token can see, with their databases.',
  input: z.strictObject({}),
  effect: 'reads',
  async run(api) {
    const { items } = (await api.call('GET', '/api/projects')) as ListResponse<ProjectResponse>;
    return { projects: items.map(reportProject) };
  },
});

const createProject = defineTool({
  name: 'create_project',
  title: 'Create a project',
  description: 'Creates a project with a development and a production database.',
  input: z.strictObject({
    name: z.string().min(1).max(100),
    starter: z.enum(['blog', 'shop', 'empty']).optional().describe('The initial schema. Default: empty'),
    organization_id: z
      .string()
      .max(40)
      .optional()
      .describe('Required if you belong to several organizations'),
  }),
  effect: 'adds',
  run: async (api, { starter, ...body }) => ({
    project: reportProject(
      (await api.call('POST', '/api/projects', { ...body, starter: starter ?? 'empty' })) as ProjectResponse,
    ),
  }),
});

const getProjectDetails = defineTool({
  name: 'get_project_details',
  title: 'Get a project',
  description: 'Returns a project with the state and schema version of each database.',
  input: z.strictObject({ project_id: projectId }),
  effect: 'reads',
  run: async (api, args) => ({ project: reportProject(await getProject(api, args.project_id)) }),
});

const updateProject = defineTool({
  name: 'update_project',
  title: 'Rename a project',
  description: 'Renames a project.',
  input: z.strictObject({ project_id: projectId, name: z.string().min(1).max(100) }),
  effect: 'changes',
  run: async (api, args) => ({
    project: reportProject(
      (await api.call('PATCH', projectPath(args.project_id), { name: args.name })) as ProjectResponse,
    ),
  }),
});

const getHostedDatabaseDetails = defineTool({
  name: 'get_project_hosted_database_details',
  title: 'Get the databases of a project',
  description:
    'Returns the URLs of each database: data API, MCP and docs. Also lists its direct ' +
    'connections, without passwords.',
  input: z.strictObject({ project_id: projectId }),
  effect: 'reads',
  async run(api, args) {
    const { databases } = await getProject(api, args.project_id);
    return {
      databases: await Promise.all(
        databases.map(async (database) => ({
          ...reportDatabase(database),
          ...addressesOf(database),
          connections: await listConnections(api, database),
        })),
      ),
    };
  },
});

const getOpenApiUrl = defineTool({
  name: 'get_data_api_openapi_spec_url',
  title: 'Get the OpenAPI URL',
  description:
    'Returns the URLs of the OpenAPI document and the docs page of a deployed database. They do ' +
    'not require a key.',
  input: z.strictObject({ project_id: projectId, environment }),
  effect: 'reads',
  async run(api, args) {
    const database = await findDatabase(api, args.project_id, args.environment);
    const { openapi_url: openapiUrl, docs_url: docsUrl } = addressesOf(database);
    return {
      environment: database.environment,
      openapi_url: openapiUrl,
      docs_url: docsUrl,
      is_public: database.settings.docs_enabled,
    };
  },
});

export const PROJECT_TOOLS: readonly ControlTool[] = [
  getProjects,
  createProject,
  getProjectDetails,
  updateProject,
  getHostedDatabaseDetails,
  getOpenApiUrl,
];

function reportProject({
  id,
  name,
  organization_id: organizationId,
  created_at: createdAt,
  databases,
}: ProjectResponse): object {
  return {
    id,
    name,
    organization_id: organizationId,
    created_at: createdAt,
    databases: databases.map(reportDatabase),
  };
}

function reportDatabase({
  id,
  environment: name,
  state,
  snapshot_number: snapshotNumber,
}: DatabaseResponse): object {
  return { id, environment: name, state, snapshot_number: snapshotNumber };
}

function addressesOf({
  base_url: baseUrl,
  docs_slug: docsSlug,
  docs_url: docsUrl,
}: DatabaseResponse): Readonly<Record<string, string>> {
  const base = baseUrl.replace(/\/$/, '');
  return {
    data_api_url: `${base}/v1/-/`,
    mcp_url: `${base}/mcp`,
    openapi_url: `${base}/v1/-/openapi/${docsSlug}`,
    docs_url: docsUrl,
  };
}

async function listConnections(api: ControlApi, database: DatabaseResponse): Promise<readonly object[]> {
  const { items } = (await api.call(
    'GET',
    `/api/databases/${encodeURIComponent(database.id)}/connections`,
  )) as ListResponse<ConnectionResponse>;
  return items.map(({ name, role, host, port, database: schema, user, tls, expires_at: expiresAt }) => ({
    name,
    role,
    host,
    port,
    database: schema,
    user,
    tls,
    expires_at: expiresAt,
  }));
}
