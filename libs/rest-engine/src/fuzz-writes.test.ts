import { AppError } from '@rowhouse/errors';
import { doSteps } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, PLAN_OPTIONS, resultOf, SNAPSHOT } from '../test/blog.js';
import { createRandom } from '../test/random.js';
import {
  authorizeBatch,
  authorizePlan,
  parseBatchSteps,
  parseJson,
  planBatchSteps,
  planItem,
  toStatements,
  type PlanOptions,
  type ResultSet,
  type StatementProgram,
} from './index.js';

/**
 * Each seed has its own test, so that every test is shorter than the test runner's timeout on a busy machine.
 */
const SEEDS = Array.from({ length: 30 }, (_, index) => 20_261_122 + index);
const ROUNDS = 500;

const VALUES: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  null,
  true,
  '',
  'a',
  'a@b.co',
  '2026-01-01',
  '2026-01-01T10:00:00Z',
  [],
  {},
  { $inc: 1 },
  { $ref: '0.id' },
  { $ref: '0' },
  { $ref: '9.x' },
  { $ref: 5 },
  { $value: { $ref: '0.id' } },
  { $value: { $value: { $inc: 1 } } },
  { id: 1 },
];
const OPTIONS: PlanOptions = { ...PLAN_OPTIONS, requireIfMatch: ['countries'] };
const SIMPLE: Readonly<Record<string, unknown>> = {
  username: 'a',
  email: 'a@b.co',
  title: 't',
  content: 'c',
  name: 'n',
  code: 'abc',
  body: 'b',
  at: '2026-01-01',
  text: 'x',
  user_id: 1,
  post_id: 1,
  tag_id: 1,
};

/** Checks that every statement in a program has as many bound values as placeholders. */
function walk(program: StatementProgram): void {
  const results: ResultSet[] = [];
  for (
    let round = program.first as StatementProgram['first'] | null;
    round !== null && results.length < 2_000;
    round = program.next(results)
  ) {
    for (const statement of round.statements) {
      expect(statement.sql.split('?').length - 1, statement.sql).toBe(statement.params.length);
      const rows =
        statement.shape === null
          ? []
          : Array.from(
              { length: (statement.sql.match(/\)(?:, \()/g)?.length ?? 0) + 1 },
              () => statement.shape?.columns.map(() => '1') ?? [],
            );
      results.push(resultOf(statement, { rows, affectedRows: 1, insertId: '1' }));
    }
  }
  expect(results.length).toBeLessThan(2_000);
}

describe('random batches and nested creates', () => {
  const outcomes = { planned: 0, nested: 0, refused: 0 };
  it.each(SEEDS)('a random batch or nested create is planned or gets an error below 500: seed %i', (seed) => {
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const compiled = compile();
    const record = (name: string, depth: number): unknown => {
      const table = compiled.findByName(name);
      const members: [string, unknown][] = (table?.columns ?? [])
        .filter((column) => (column.required && column.name in SIMPLE ? random() < 0.97 : random() < 0.04))
        .map((column) => [
          column.name,
          random() < 0.9 ? (SIMPLE[column.name] ?? pick(VALUES)) : pick(VALUES),
        ]);
      for (const relationship of table?.relationships ?? []) {
        if (depth >= 6 || random() > 0.3) continue;
        for (const column of relationship.sourceColumns)
          if (relationship.kind === 'to_one' && random() < 0.9)
            members.splice(0, members.length, ...members.filter(([member]) => member !== column.name));
        const inner = (): unknown =>
          random() < 0.2 ? { id: 1 } : record(relationship.target.name, depth + 1);
        members.push([
          relationship.name,
          relationship.kind === 'to_one'
            ? inner()
            : Array.from({ length: 1 + Math.floor(random() * 2) }, inner),
        ]);
      }
      return Object.fromEntries(
        members.filter(([member]) => depth === 0 || random() < 0.95 || !(member in SIMPLE)),
      );
    };
    const operation = (): unknown => {
      const table = pick(SNAPSHOT.tables);
      const method = pick(['POST', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE', 'GET']);
      const path = `/${table.path}${method === 'POST' ? '' : pick(['/1', '/1,2', '?id=1', '', '?limit=1'])}${random() < 0.05 ? pick(['#', '%zz', '?_on_conflict=id', '/../x']) : ''}`;
      const body =
        method === 'POST' || method === 'PUT' || method === 'PATCH'
          ? random() < 0.95
            ? record(table.name, 0)
            : pick(VALUES)
          : undefined;
      return random() < 0.03
        ? pick(VALUES)
        : {
            method,
            path,
            ...(body === undefined ? {} : { body }),
            ...(random() < 0.05 ? { if_match: pick(VALUES) } : {}),
          };
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = JSON.stringify({
        operations: Array.from({ length: 1 + Math.floor(random() * 2) }, operation),
      });
      try {
        const batch = authorizeBatch(
          doSteps(
            planBatchSteps(
              doSteps(
                parseBatchSteps({ rawQuery: '', headers: {}, body: parseJson(text) }, compiled, {
                  prefix: '/v1/-',
                }),
              ),
              () => OPTIONS,
            ),
          ),
          ALL,
          [],
        );
        const answers = batch.items.map(() => parseJson('{"id":1,"name":"n"}'));
        for (const [index, item] of batch.items.entries()) {
          const plan = authorizePlan(
            planItem(item, index, () => OPTIONS, answers),
            ALL,
            [],
          );
          walk(toStatements(plan, { insertReturning: round % 2 === 0 }, () => 'x'.repeat(22)));
          if (plan.kind === 'create_nested') outcomes.nested += 1;
        }
        outcomes.planned += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500)
          throw new Error(`seed ${seed}, round ${round}: ${text}`, { cause: error });
        outcomes.refused += 1;
      }
    }
  });

  it('random write requests of every kind are planned or rejected with an error below 500', () => {
    expect(outcomes.planned).toBeGreaterThan(1_000);
    expect(outcomes.nested).toBeGreaterThan(300);
    expect(outcomes.refused).toBeGreaterThan(1_000);
  });
});
