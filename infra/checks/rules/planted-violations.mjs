/**
 * Files that each violate one lint rule. A test adds all of them to a copy of the repository and expects the
 * named part of the lint to report the named rule.
 * @typedef {object} Plant
 * @property {string} path
 * @property {string} text
 * @property {'oxlint' | 'dependencies' | 'conventions' | 'functions' | 'cells' | 'duplicates' | 'format' | 'prose'} part
 * @property {string} rule the text that the finding must contain
 */

const longFunction = `export function growLong(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(61)}  return sum;\n}\n`;
const duplicateFunction =
  'export function sumAny(numbers: readonly number[]): number {\n' +
  '  let sum = 0;\n' +
  '  let product = 1;\n' +
  '  for (const number of numbers) {\n' +
  '    sum += number;\n' +
  '    product *= number;\n' +
  '  }\n' +
  '  return sum / product;\n' +
  '}\n';
const longFile = `${Array.from({ length: 401 }, (_, index) => `export const line${index} = ${index};`).join('\n')}\n`;

/** @type {readonly Plant[]} */
export const plants = [
  {
    path: 'libs/errors/src/planted-format.ts',
    text: 'export const first=1\n',
    part: 'format',
    rule: 'format',
  },
  {
    path: 'infra/balancer/planted-prose.mjs',
    text: '// Of what somebody is told behind the answer.\nexport const roomOfOne = 1;\n',
    part: 'prose',
    rule: 'prose: infra/balancer',
  },
  {
    path: 'libs/errors/src/planted-up.ts',
    text: "import type { Snapshot } from '@rowhouse/schema-model';\nexport type Up = Snapshot;\n",
    part: 'dependencies',
    rule: 'resolvable',
  },
  {
    path: 'libs/rest-engine/src/planted-sibling.ts',
    text: "import type * as other from '../../query-engine/src/index.js';\nexport type Sibling = keyof typeof other;\n",
    part: 'dependencies',
    rule: 'arrow-rest-engine',
  },
  {
    path: 'libs/rest-engine/src/plan/planted-stage.ts',
    text: "import type * as later from '../sql/statement.js';\nexport type Later = keyof typeof later;\n",
    part: 'dependencies',
    rule: 'stage-plan',
  },
  {
    path: 'libs/schema-model/src/planted-upward.ts',
    text: "import type * as other from '../../contracts/src/index.js';\nexport type Upward = keyof typeof other;\n",
    part: 'dependencies',
    rule: 'arrow-schema-model',
  },
  {
    path: 'libs/queue/src/planted-sibling.ts',
    text: "import type * as other from '../../mysql/src/index.js';\nexport type Sibling = keyof typeof other;\n",
    part: 'dependencies',
    rule: 'arrow-queue',
  },
  {
    path: 'apps/gateway/src/planted-app.ts',
    text: "import type * as other from '../../migration-worker/src/main.js';\nexport type App = keyof typeof other;\n",
    part: 'dependencies',
    rule: 'app-to-app',
  },
  {
    path: 'apps/migration-worker/src/move/planted-task.ts',
    text: "export type Task = typeof import('../tasks/run-task.js');\n",
    part: 'dependencies',
    rule: 'worker-tasks',
  },
  {
    path: 'apps/migration-worker/src/tasks/planted-maintenance.ts',
    text: "export type Periodic = typeof import('../maintenance/maintenance.js');\n",
    part: 'dependencies',
    rule: 'worker-maintenance',
  },
  {
    path: 'apps/migration-worker/src/tasks/planted-migration.ts',
    text: "export type Run = typeof import('../online-ddl/run-state.js');\n",
    part: 'dependencies',
    rule: 'worker-migrations',
  },
  {
    path: 'apps/gateway/src/planted-testkit.ts',
    text: "import { getTestServers } from '@rowhouse/testkit';\nexport const servers = getTestServers;\n",
    part: 'dependencies',
    rule: 'ships-no-test-code',
  },
  {
    path: 'infra/local/product/planted-build.mjs',
    text: "export { buildChanged } from '../build.mjs';\n",
    part: 'dependencies',
    rule: 'launcher-without-build',
  },
  {
    path: 'infra/local/processes/planted-test-server.mjs',
    text: "export { toKillable } from '../../test-servers/killable.mjs';\n",
    part: 'dependencies',
    rule: 'launcher-without-test-servers',
  },
  {
    path: 'apps/gateway/src/planted-driver.ts',
    text: "import { createPool } from '../../../infra/local/node_modules/mysql2/promise.js';\nexport const pool = createPool;\n",
    part: 'dependencies',
    rule: 'mysql2-home',
  },
  {
    path: 'apps/gateway/src/planted-queue.ts',
    text: "import { Queue } from '../../../libs/queue/node_modules/bullmq/dist/esm/index.js';\nexport const queue = Queue;\n",
    part: 'dependencies',
    rule: 'bullmq-home',
  },
  {
    path: 'apps/gateway/src/planted-protocol.ts',
    text: "import { Server } from '../../../libs/mcp/node_modules/@modelcontextprotocol/server/dist/index.mjs';\nexport const server = Server;\n",
    part: 'dependencies',
    rule: 'mcp-home',
  },
  {
    path: 'libs/queue/src/planted-nest.ts',
    text: "import { Injectable } from '../../../apps/gateway/node_modules/@nestjs/common/index.js';\nexport const nest = Injectable;\n",
    part: 'dependencies',
    rule: 'nest-home',
  },
  {
    path: 'apps/gateway/src/planted-orm.ts',
    text: "import { DataSource } from '../../control-plane/node_modules/typeorm/index.js';\nexport const source = DataSource;\n",
    part: 'dependencies',
    rule: 'typeorm-home',
  },
  {
    path: 'apps/console/src/planted-node.ts',
    text: "import * as other from '../../../libs/runtime/src/index.js';\nexport const names = Object.keys(other);\n",
    part: 'dependencies',
    rule: 'console-is-a-browser',
  },
  {
    path: 'libs/emitters/src/planted-io.ts',
    text: "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
    part: 'dependencies',
    rule: 'pure-library-no-node',
  },
  {
    path: 'libs/ddl-plan/src/planted-cycle-a.ts',
    text: "import { two } from './planted-cycle-b.js';\nexport const one = (): number => two();\n",
    part: 'dependencies',
    rule: 'no-cycle',
  },
  {
    path: 'libs/ddl-plan/src/planted-cycle-b.ts',
    text: "import { one } from './planted-cycle-a.js';\nexport const two = (): number => one();\n",
    part: 'dependencies',
    rule: 'no-cycle',
  },
  {
    path: 'libs/ddl-plan/src/planted-type-cycle-a.ts',
    text: "import type { Two } from './planted-type-cycle-b.js';\nexport type One = Two | null;\n",
    part: 'dependencies',
    rule: 'no-cycle',
  },
  {
    path: 'libs/ddl-plan/src/planted-type-cycle-b.ts',
    text: "import type { One } from './planted-type-cycle-a.js';\nexport interface Two extends Iterable<One> {}\n",
    part: 'dependencies',
    rule: 'no-cycle',
  },
  {
    path: 'libs/credentials/src/planted-duplicate.ts',
    text: ['First', 'Second'].map((name) => duplicateFunction.replace('Any', name)).join('\n'),
    part: 'duplicates',
    rule: 'duplicate-code',
  },
  {
    path: 'libs/runtime/src/planted-floating.ts',
    text: 'export function start(work: () => Promise<void>): void {\n  work();\n}\n',
    part: 'oxlint',
    rule: 'no-floating-promises',
  },
  {
    path: 'libs/runtime/src/planted-misused.ts',
    text: 'export function later(work: () => Promise<void>): void {\n  setTimeout(work, 1);\n  if (work()) return;\n}\n',
    part: 'oxlint',
    rule: 'no-misused-promises',
  },
  {
    path: 'libs/runtime/src/planted-any.ts',
    text: 'export function anything(value: any): string {\n  return String(value.name);\n}\n',
    part: 'oxlint',
    rule: 'no-explicit-any',
  },
  {
    path: 'libs/runtime/src/planted-default.ts',
    text: 'const value = 1;\nexport default value;\n',
    part: 'oxlint',
    rule: 'no-default-export',
  },
  {
    path: 'libs/runtime/src/planted-throw.ts',
    text: "export function fail(): never {\n  throw 'text';\n}\n",
    part: 'oxlint',
    rule: 'only-throw-error',
  },
  {
    path: 'libs/runtime/src/planted-console.ts',
    text: "export function say(): void {\n  console.log('hello');\n}\n",
    part: 'oxlint',
    rule: 'no-console',
  },
  {
    path: 'libs/runtime/src/plantedName.ts',
    text: 'export const name = 1;\n',
    part: 'oxlint',
    rule: 'filename-case',
  },
  {
    path: 'libs/runtime/src/planted-equal.ts',
    text: 'export const isEqual = (a: number, b: string): boolean => String(a) == b;\n',
    part: 'oxlint',
    rule: 'eqeqeq',
  },
  {
    path: 'libs/runtime/src/planted-long-function.ts',
    text: longFunction,
    part: 'functions',
    rule: 'function-length',
  },
  { path: 'libs/runtime/src/planted-long-file.ts', text: longFile, part: 'oxlint', rule: 'max-lines)' },
  {
    path: 'libs/runtime/src/planted-switch.ts',
    text: "export function name(kind: 'a' | 'b'): string {\n  switch (kind) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n}\n",
    part: 'oxlint',
    rule: 'switch-exhaustiveness-check',
  },
  {
    path: 'libs/runtime/src/planted-enum.ts',
    text: 'export enum Colour { Red, Green }\n',
    part: 'conventions',
    rule: 'no-enum',
  },
  {
    path: 'libs/runtime/src/planted-todo.ts',
    text: `// ${'TO'}${'DO'} later\nexport const later = 1;\n`,
    part: 'conventions',
    rule: 'no-todo',
  },
  {
    path: 'e2e/journeys/planted-sessions.e2e.ts',
    text: "export const look = 'SELECT id FROM information_schema.PROCESSLIST';\n",
    part: 'conventions',
    rule: 'process-list',
  },
  {
    path: 'libs/runtime/src/planted-extension.ts',
    text: "export * from './planted-enum';\n",
    part: 'conventions',
    rule: 'js-extension',
  },
  {
    path: 'libs/runtime/src/planted-silence.ts',
    text: '// @ts-ignore because\nexport const silent: number = 1;\n',
    part: 'conventions',
    rule: 'no-suppression',
  },
  {
    path: 'libs/runtime/src/planted/index.ts',
    text: 'export const nested = 1;\n',
    part: 'conventions',
    rule: 'entry-only',
  },
  {
    path: 'apps/gateway/src/planted-key.ts',
    text: "export const read = (redis: { get(key: string): Promise<string | null> }): Promise<string | null> => redis.get('key:1');\n",
    part: 'cells',
    rule: 'cell-key',
  },
  {
    path: 'libs/platform-store/src/planted-lease.ts',
    text: 'export const sql = `SELECT holder FROM server_lease WHERE server_id = ?`;\n',
    part: 'cells',
    rule: 'cell-row',
  },
  {
    path: 'libs/platform-store/src/planted-journal.ts',
    text: 'export const sql = `INSERT INTO migration_step (migration_id, ordinal) VALUES (?, ?)`;\n',
    part: 'cells',
    rule: 'cell-row',
  },
];

/** Expressions that the compiler rejects in a pure library, which has neither Node nor browser types. */
export const impureExpressions = [
  "process.env['HOME']",
  'fetch("http://localhost")',
  'new TextEncoder()',
  'Buffer.from("a")',
  'setTimeout(() => {}, 1)',
  'console.log(1)',
  'crypto.randomUUID()',
];
