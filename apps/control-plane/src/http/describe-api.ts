import { z } from 'zod';
import type { AccessRule } from '../access/access-rule.js';
import { UPLOAD_TYPES } from './accept-uploads.js';
import type { ListedRoute } from './list-routes.js';
import { statusOf, type RouteSpec } from './route-spec.js';
import type { FastifyInstance } from 'fastify';

type Json = Record<string, unknown>;

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['detail', 'code', 'request_id'],
  properties: {
    detail: {
      description: 'A sentence. For status 422, a list of errors.',
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: {
              loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
              msg: { type: 'string' },
              type: { type: 'string' },
            },
          },
        },
      ],
    },
    code: { type: 'string' },
    request_id: { type: 'string' },
    hint: { type: 'string' },
  },
};

/** Returns the OpenAPI 3.1 document of the control API, based on the declarations of the routes. */
export function describeApi(routes: readonly ListedRoute[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowhouse control API',
      version: '1',
      description:
        'Manage accounts, projects, databases, keys, connections and deploys. Sign in to get a ' +
        'session cookie, or send a personal access token.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'rowhouse',
          description: 'The session cookie. Requests that change data also need the X-CSRF-Token header.',
        },
      },
    },
  };
}

function describeRoute({ path, tag, spec }: ListedRoute): Json {
  return {
    operationId: spec.id,
    summary: spec.summary,
    description: describeAccess(spec.access),
    tags: [tag],
    security: spec.access.kind === 'public' ? [] : [{ token: [] }, { session: [] }],
    parameters: [...pathParameters(path), ...queryParameters(spec)],
    ...(spec.upload === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: spec.upload,
            content: Object.fromEntries(UPLOAD_TYPES.map((type) => [type, { schema: { type: 'string' } }])),
          },
        }),
    ...(spec.body === undefined
      ? {}
      : {
          requestBody: {
            required: !spec.body.safeParse(undefined).success,
            content: { 'application/json': { schema: toSchema(spec.body, 'input') } },
          },
        }),
    responses: describeResponses(spec),
  };
}

function describeAccess(rule: AccessRule): string {
  if (rule.kind === 'public') return 'No authentication required.';
  if (rule.kind === 'account') return 'Requires a signed-in account.';
  if (rule.kind === 'operator') return 'Requires the operator of this installation.';
  return `Requires at least the role ${rule.least} in the organization of the ${rule.on}.`;
}

function describeResponses(spec: RouteSpec): Json {
  const content =
    spec.answer === undefined
      ? spec.media === undefined
        ? {}
        : { content: { [spec.media]: { schema: { type: 'string' } } } }
      : { content: { 'application/json': { schema: toSchema(spec.answer, 'output') } } };
  const success = { description: statusOf(spec) === 204 ? 'Done.' : 'The result.', ...content };
  const error = (description: string): Json => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    [statusOf(spec)]: success,
    ...(spec.alsoStatus === undefined
      ? {}
      : { [spec.alsoStatus]: { ...success, description: 'Accepted. The resource is still being created.' } }),
    ...(spec.access.kind === 'public'
      ? {}
      : {
          401: error('Authentication is missing or not valid.'),
          403: error('Your role does not allow this, or the CSRF token is missing.'),
        }),
    ...(spec.access.kind === 'role'
      ? { 404: error('The resource does not exist, or you cannot see it.') }
      : {}),
    ...(spec.body === undefined && spec.query === undefined
      ? {}
      : { 422: error('The request is not valid. The response lists every error.') }),
    default: error('Any other error.'),
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    description: 'The id of the resource.',
    schema: { type: 'string' },
  }));
}

function queryParameters(spec: RouteSpec): Json[] {
  if (spec.query === undefined) return [];
  const schema = toSchema(spec.query, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: member,
  }));
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

/** Serves `GET /api/openapi.json`. The document is public and created once. */
export function serveOpenApi(
  fastify: FastifyInstance,
  routes: readonly ListedRoute[],
  publicUrl: string,
): void {
  const text = JSON.stringify(describeApi(routes, publicUrl));
  fastify.get('/api/openapi.json', (_req, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text),
  );
}
