import { readFileSync } from 'node:fs';
import { doSteps, type Rights, type Verb } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, describeError, PLAN_OPTIONS } from '../../test/blog.js';
import { CASES, type Case } from '../../test/plan-cases.js';
import {
  authorizeBatch,
  authorizePlan,
  parseBatchSteps,
  parseJson,
  parseRequest,
  planBatchSteps,
  planRequest,
  type Plan,
  type PlanOptions,
  type Touch,
} from '../index.js';

const OPTIONS: PlanOptions = { ...PLAN_OPTIONS, regexEnabled: true };
const SCOPES = ['query'];
const VERBS: readonly Verb[] = ['read', 'write', 'delete'];
const NAMES = ['users', 'posts', 'comments', 'tags', 'post_tags'];

function readNeeds(text: string): Touch[] {
  return text
    .split(', ')
    .map((part) => ({ verb: (part.split(' ')[0] ?? '') as Verb, table: part.split(' ')[1] ?? '' }));
}

/** Returns exactly these rights. Each table has one more right, so that it is visible to the API key. */
function rightsOf(needs: readonly Touch[]): Rights {
  const tables = Object.fromEntries(
    NAMES.map((name): [string, Verb[]] => [
      name,
      needs.filter((touch) => touch.table === name).map((touch) => touch.verb),
    ]),
  );
  return {
    ...ALL,
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, verbs]) => [
        name,
        verbs.length > 0
          ? verbs
          : [
              VERBS.find((verb) => !needs.some((touch) => touch.table === name && touch.verb === verb)) ??
                'delete',
            ],
      ]),
    ),
  };
}

function splitCall(endpoint: string): { method: string; address: string } {
  const space = endpoint.indexOf(' ');
  return { method: endpoint.slice(0, space), address: endpoint.slice(space + 1) };
}

function attempt(
  { call: endpoint, body, headers = {} }: Case,
  rights: Rights,
  scopes: readonly string[] = SCOPES,
): Plan | string {
  const { method, address } = splitCall(endpoint);
  const [rawPath = '', ...query] = address.split('?');
  const value = body === undefined ? undefined : parseJson(JSON.stringify(body));
  try {
    const request = parseRequest(
      { method, rawPath, rawQuery: query.join('?'), headers, body: value },
      compile(rights),
      { prefix: '' },
    );
    return authorizePlan(planRequest(request, OPTIONS), rights, scopes);
  } catch (error) {
    return describeError(error);
  }
}

const all = Object.entries(CASES).flatMap(([kind, cases]) =>
  cases.map((item): [string, string, Case] => [
    kind,
    `${item.call} ${item.body === undefined ? '' : JSON.stringify(item.body)} ${JSON.stringify(item.headers ?? {})}`,
    item,
  ]),
);

describe('every kind of plan', () => {
  it('each kind of plan has test cases for its rights', () => {
    // The compiler ensures that this `switch` covers all kinds of plans.
    const source = readFileSync(new URL('../sql/to-statements.ts', import.meta.url), 'utf8');
    const kinds = [...source.matchAll(/case '(\w+)'/g)].map((match) => match[1]);
    expect(kinds.length).toBeGreaterThan(10);
    expect(
      Object.entries(CASES)
        .filter(([, cases]) => cases.length > 0)
        .map(([kind]) => kind)
        .sort(),
    ).toEqual(kinds.sort());
  });

  it.each(all)('authorizePlan rejects a plan without one of its rights: %s: %s', (kind, _name, item) => {
    const needs = readNeeds(item.needs);
    const planned = attempt(item, rightsOf(needs));
    expect(planned).toMatchObject({ kind });
    for (const missing of needs) {
      // Another right on the table remains, so that the table stays visible.
      const retained = needs.filter((touch) => touch !== missing);
      const verbs = retained.filter((touch) => touch.table === missing.table).map((touch) => touch.verb);
      const instead =
        verbs.length > 0
          ? []
          : VERBS.filter((verb) => verb !== missing.verb)
              .slice(0, 1)
              .map((verb) => ({ table: missing.table, verb }));
      expect(attempt(item, rightsOf([...retained, ...instead]))).toBe(
        `403 auth.scope The key does not have the scope "${missing.verb}" on ${missing.table}.`,
      );
    }
  });

  it('authorizePlan rejects a request for an invisible table as unknown', () => {
    for (const [, , item] of all) {
      for (const { table } of readNeeds(item.needs)) {
        const { tables } = rightsOf(readNeeds(item.needs));
        const { [table]: _gone, ...others } = tables ?? {};
        expect(attempt(item, { ...ALL, tables: others })).toMatch(/^(?:404|422) /);
      }
    }
  });

  it('authorizePlan requires the scope query for _explain', () => {
    for (const item of CASES.explain) expect(attempt(item, ALL, ['read'])).toContain('403 auth.scope');
  });

  it('authorizeBatch rejects an operation without a right, with its index', () => {
    for (const [, , item] of all) {
      if (item.headers?.['accept'] !== undefined) continue;
      const needs = readNeeds(item.needs);
      const { method, address } = splitCall(item.call);
      const operation = {
        method,
        path: address,
        ...(item.body === undefined ? {} : { body: item.body }),
        ...(item.headers?.['if-match'] === undefined ? {} : { if_match: item.headers['if-match'] }),
      };
      const send = (rights: Rights): string => {
        try {
          const headers = item.headers?.['prefer'] === undefined ? {} : { prefer: item.headers['prefer'] };
          const body = parseJson(JSON.stringify({ operations: [operation] }));
          authorizeBatch(
            doSteps(
              planBatchSteps(
                doSteps(parseBatchSteps({ rawQuery: '', headers, body }, compile(rights), { prefix: '' })),
                () => OPTIONS,
              ),
            ),
            rights,
            SCOPES,
          );
        } catch (error) {
          return describeError(error);
        }
        return 'accepted';
      };
      expect([item.call, send(rightsOf(needs))]).toEqual([item.call, 'accepted']);
      for (const missing of needs)
        expect([
          item.call,
          send({
            ...ALL,
            tables: {
              ...rightsOf(needs).tables,
              [missing.table]: VERBS.filter((verb) => verb !== missing.verb),
            },
          }),
        ]).toEqual([
          item.call,
          `403 auth.scope The key does not have the scope "${missing.verb}" on ${missing.table}.`,
        ]);
    }
  });
});
