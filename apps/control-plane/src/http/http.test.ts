import { Controller, Get, HttpException, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { isRoleAtLeast } from '@rowhouse/contracts';
import { AppError, toErrorBody } from '@rowhouse/errors';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANYONE, roleOn } from '../access/access-rule.js';
import { createBearerReader } from '../access/bearer.js';
import { describeApi } from './describe-api.js';
import { translate } from './error-filter.js';
import { listRoutes, type ListedRoute } from './list-routes.js';
import { Route } from './route-spec.js';
import { ZodPipe } from './zod-pipe.js';

@Controller('api/things')
class DeclaredController {
  @Get(':id')
  @Route({
    id: 'getThing',
    summary: 'A thing',
    access: roleOn('project', 'viewer'),
    answer: z.object({ id: z.string() }),
  })
  get(): object {
    return {};
  }
}

@Controller('api/open')
class ForgottenController {
  @Get()
  get(): object {
    return {};
  }
}

@Controller('api/twice')
class TwiceController {
  @Get()
  @Route({ id: 'getThing', summary: 'Another', access: ANYONE, answer: z.object({}) })
  get(): object {
    return {};
  }
}

async function routesOf(...controllers: (new () => object)[]): Promise<ListedRoute[]> {
  @Module({ imports: [DiscoveryModule], controllers })
  class TestModule {}
  return listRoutes(await Test.createTestingModule({ imports: [TestModule] }).compile());
}

describe('listRoutes', () => {
  it('listRoutes returns method, path and rule of each route', async () => {
    const [route] = await routesOf(DeclaredController);
    expect(route).toMatchObject({
      method: 'GET',
      path: '/api/things/{id}',
      tag: 'Declared',
      spec: { access: { kind: 'role', on: 'project', least: 'viewer' } },
    });
  });
  it('listRoutes throws for a route without an access rule', async () => {
    await expect(routesOf(DeclaredController, ForgottenController)).rejects.toThrow(
      'ForgottenController.get declares no access rule',
    );
  });
  it('listRoutes throws for two routes with the same name', async () => {
    await expect(routesOf(DeclaredController, TwiceController)).rejects.toThrow('getThing');
  });
});

describe('describeApi', () => {
  it('describeApi describes a route with parameters, response and errors', async () => {
    const document = describeApi(await routesOf(DeclaredController), 'http://here') as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    expect(document.paths['/api/things/{id}']?.['get']).toMatchObject({
      operationId: 'getThing',
      parameters: [{ name: 'id', in: 'path', required: true }],
      security: [{ token: [] }, { session: [] }],
      responses: {
        200: { content: { 'application/json': { schema: { type: 'object', required: ['id'] } } } },
        401: {},
        403: {},
        404: {},
      },
    });
  });
});

describe('roles', () => {
  it('a higher role includes the rights of a lower one', () => {
    const order = ['viewer', 'developer', 'admin', 'owner'] as const;
    for (const [index, role] of order.entries())
      for (const [minimum, other] of order.entries())
        expect(isRoleAtLeast(role, other)).toBe(index >= minimum);
  });
});

describe('ZodPipe', () => {
  const pipe = new ZodPipe(
    'body',
    z.strictObject({ name: z.string(), list: z.array(z.strictObject({ n: z.number() })).optional() }),
  );
  const faultsOf = (value: unknown): unknown => {
    try {
      return pipe.transform(value);
    } catch (error) {
      return toErrorBody(error as AppError, 'req_x').detail;
    }
  };
  it('ZodPipe returns a valid value', () => {
    expect(pipe.transform({ name: 'a' })).toEqual({ name: 'a' });
  });
  it('ZodPipe reports each fault at its location', () => {
    expect(faultsOf({ list: [{ n: 'x' }, { n: 1, m: 2 }] })).toEqual([
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'list', 0, 'n'], msg: expect.any(String), type: 'invalid_type' },
      { loc: ['body', 'list', 1, 'm'], msg: expect.any(String), type: 'extra_forbidden' },
    ]);
  });
  it('ZodPipe reports a missing body', () => {
    expect(faultsOf(undefined)).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  });
});

describe('createBearerReader', () => {
  const reader = createBearerReader(async (token) => (token === 'good' ? { id: 1 } : null));
  it('createBearerReader reads the header and reports an invalid token', async () => {
    expect(await reader.read('Bearer good')).toEqual({ id: 1 });
    expect(await reader.read('bearer good')).toEqual({ id: 1 });
    expect(await reader.read('Bearer bad')).toBe('invalid');
    expect(await reader.read('Bearer a b')).toBe('malformed');
    expect(await reader.read(undefined)).toBeNull();
    expect(await reader.read('Basic good')).toBeNull();
  });
  it('createBearerReader throws the error of a failed lookup', async () => {
    await expect(
      createBearerReader(() => Promise.reject(new Error('away'))).read('Bearer x'),
    ).rejects.toThrow('away');
  });
});

describe('translate', () => {
  const req = { method: 'GET', url: '/api/x?secret=1' } as FastifyRequest;
  it('translate converts an unexpected error to a defect without its text', () => {
    const error = translate(new TypeError('x of undefined'), req);
    expect(error).toMatchObject({ code: 'internal.defect', status: 500 });
    expect(JSON.stringify(toErrorBody(error, 'r'))).not.toContain('undefined');
  });
  it('translate reports an unreachable platform database', () => {
    for (const fault of [
      { code: 'ECONNREFUSED' },
      { code: 'PLATFORM_LATE' },
      { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 },
      { code: 'ER_LOCK_DEADLOCK', errno: 1213 },
    ]) {
      expect(translate(Object.assign(new Error('x'), fault), req)).toMatchObject({
        code: 'platform.unavailable',
        status: 503,
        retryAfterSeconds: 1,
      });
    }
    expect(translate(Object.assign(new Error('x'), { code: 'PLATFORM_OUTCOME_UNKNOWN' }), req)).toMatchObject(
      { code: 'db.outcome_unknown', status: 503, retryAfterSeconds: 1 },
    );
  });
  it('translate maps errors of Fastify to API errors', () => {
    expect(translate({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }, req).code).toBe('request.unsupported_type');
    expect(translate({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }, req).code).toBe('request.body_too_large');
  });
  it('translate maps Fastify errors that NestJS has wrapped to API errors', () => {
    expect(translate(new HttpException('Unsupported Media Type', 415), req).code).toBe(
      'request.unsupported_type',
    );
    expect(translate(new HttpException('Request body is too large', 413), req).code).toBe(
      'request.body_too_large',
    );
    expect(translate(new HttpException('Bad Request', 400), req).code).toBe('request.malformed');
    expect(translate(new HttpException('teapot', 500), req).code).toBe('internal.defect');
  });
});
