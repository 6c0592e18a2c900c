import { authorizePlan, parseJson, parseRequest, planRequest, toStatements } from '@rowhouse/rest-engine';
import { describe, expect, it } from 'vitest';
import { ALL_RIGHTS, compileBlog, PLAN_OPTIONS } from '../../test/support/cost-stage.js';
import { chooseExecution } from './choose-execution.js';

const compiled = compileBlog();

interface RequestCase {
  readonly body?: unknown;
  readonly prefer?: string;
  readonly hasGuard?: boolean;
}

/** Returns the execution of a request as `kind`, or as `mode need` for a session. */
function executionOf(endpoint: string, { body, prefer, hasGuard = false }: RequestCase): string {
  const [method = '', address = ''] = endpoint.split(' ');
  const [rawPath = '', rawQuery = ''] = address.split('?');
  const headers = prefer === undefined ? {} : { prefer };
  const value = body === undefined ? undefined : parseJson(JSON.stringify(body));
  const request = parseRequest({ method, rawPath, rawQuery, headers, body: value }, compiled, { prefix: '' });
  const planned = planRequest(request, PLAN_OPTIONS);
  const plan = authorizePlan(planned, ALL_RIGHTS, []);
  const execution = chooseExecution(
    plan,
    toStatements(plan, { insertReturning: true }, () => ''),
    hasGuard,
  );
  return execution.kind === 'session' ? `${execution.mode} ${execution.need}` : execution.kind;
}

const TWO_TAGS = [{ name: 'a' }, { name: 'b' }];

describe('chooseExecution', () => {
  it.each<[string, string, RequestCase]>([
    ['GET /posts/5', 'reads', {}],
    ['GET /posts?limit=20', 'reads', {}],
    ['GET /posts?title__regex=^a', 'read long', {}],
    ['PATCH /tags/1', 'one_write', { body: { name: 'x' } }],
    ['DELETE /tags/1', 'one_write', {}],
    ['POST /tags', 'one_write', { body: { name: 'x' } }],
    ['POST /tags', 'transaction short', { body: { name: 'x' }, hasGuard: true }],
    ['POST /tags', 'dry_run short', { body: { name: 'x' }, prefer: 'tx=rollback' }],
    ['POST /tags', 'write burst', { body: TWO_TAGS }],
    ['POST /tags', 'transaction long', { body: TWO_TAGS, hasGuard: true }],
    ['DELETE /tags?name=a', 'transaction long', {}],
  ])('the request %s runs with the method %s for the options %j', (endpoint, expected, options) => {
    expect(executionOf(endpoint, options)).toBe(expected);
  });
});
