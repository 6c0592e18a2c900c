import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { listSources } from './list-sources.mjs';

/**
 * Checks that everything in a cell names its cell: Redis keys and channels by their prefix, and rows of the
 * cell's tables by `cell_id`. It reads string literals, so it only sees what the source spells out.
 */
const KEYS_FILE = 'libs/contracts/src/redis-keys.ts';
const MIGRATIONS = 'apps/control-plane/src/platform-db/migrations';
/** Migrations of global tables, which belong to no cell. */
const GLOBAL_MIGRATION = /-global-/;

/** Tables that are queried by cell and not by id. A statement without the cell would affect other cells. */
const ASKED_BY_CELL = ['change_log', 'change_log_head', 'gateway_lease', 'server_lease', 'detect_request'];

/** Matches the statement that only checks whether the database responds. */
const IS_ALIVE = /^.SELECT 1 FROM \w+ LIMIT 1.$/;

/**
 * Names of keys that do not contain the cell. They are used below the prefix of a queue, which contains it.
 */
const KEYS_WITHOUT_CELL = ['WAKE_QUEUE'];

/**
 * @param {string} root
 * @returns {string[]} one line per finding
 */
export function checkCells(root) {
  const tables = readCellTables(root);
  return [
    ...checkTables(root),
    ...checkKeyBuilders(root),
    ...listSources(root, ['apps', 'libs'], /(?<!\.test)\.ts$/)
      .filter((path) => !/\/(test|testing)\//.test(path))
      .flatMap((path) => checkFile(root, path, tables)),
  ];
}

/** @param {string} root @returns {string[]} */
function listMigrations(root) {
  const folder = join(root, MIGRATIONS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !GLOBAL_MIGRATION.test(name))
    .map((name) => `${MIGRATIONS}/${name}`);
}

/** @param {string} root @returns {string[]} */
function readCellTables(root) {
  return listMigrations(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(
      (match) => match[1] ?? '',
    ),
  );
}

/** Checks that every table of the cell has the column. @param {string} root */
function checkTables(root) {
  return listMigrations(root).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('CREATE TABLE IF NOT EXISTS ')
      .slice(1)
      .flatMap((body) => {
        const name = /^\w+/.exec(body)?.[0] ?? '';
        return /\bcell_id\b/.test(body.split('`')[0] ?? '')
          ? []
          : [`${file}:1: cell-table: ${name} has no cell_id`];
      }),
  );
}

/** Checks that every name in the file of Redis names starts with the cell. @param {string} root */
function checkKeyBuilders(root) {
  if (!existsSync(join(root, KEYS_FILE))) return [];
  /** @type {string[]} */
  const findings = [];
  const source = parse(root, KEYS_FILE);
  source.forEachChild((node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isFunctionDeclaration(node) && !/return `\{\$\{cellId\}\}:/.test(node.getText()))
      findings.push(`${KEYS_FILE}:${line}: cell-key: ${node.name?.text} does not begin with its cell`);
    if (ts.isVariableStatement(node) && !KEYS_WITHOUT_CELL.some((name) => node.getText().includes(name)))
      findings.push(`${KEYS_FILE}:${line}: cell-key: a constant name belongs to no cell`);
  });
  return findings;
}

/**
 * @param {string} root
 * @param {string} path
 * @param {readonly string[]} tables
 */
function checkFile(root, path, tables) {
  if (path === KEYS_FILE || listMigrations(root).includes(path)) return [];
  /** @type {string[]} */
  const findings = [];
  const source = parse(root, path);
  const visit = (/** @type {ts.Node} */ node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const fault = checkStatement(node.getText(), tables);
      if (fault !== null) findings.push(`${path}:${line}: cell-row: ${fault}`);
      // The whole statement was checked, so its parts are not visited.
      return;
    }
    if (ts.isCallExpression(node) && isRedisCallWithOwnKey(node))
      findings.push(`${path}:${line}: cell-key: a Redis key or channel spelled here; take it from contracts`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

/**
 * @param {string} text
 * @param {readonly string[]} tables
 * @returns {string | null}
 */
function checkStatement(text, tables) {
  const inserted = /\b(?:INSERT|REPLACE)\b[^;]*?\bINTO\s+`?(\w+)`?/i.exec(text)?.[1];
  if (inserted !== undefined && tables.includes(inserted) && !text.includes('cell_id'))
    return `a row of ${inserted} is written without cell_id`;
  const requested = /\b(?:FROM|UPDATE|JOIN)\s+`?(\w+)`?/.exec(text)?.[1];
  if (
    requested !== undefined &&
    ASKED_BY_CELL.includes(requested) &&
    !text.includes('cell_id') &&
    !IS_ALIVE.test(text)
  )
    return `${requested} is asked without cell_id`;
  return null;
}

const REDIS_CALLS = new Set([
  'get',
  'set',
  'del',
  'mget',
  'hset',
  'hget',
  'incr',
  'expire',
  'publish',
  'subscribe',
  'psubscribe',
  'xadd',
  'zadd',
  'sadd',
  'lpush',
  'eval',
]);

/**
 * Returns whether a call such as `redis.get('…')` contains its key as a literal.
 * @param {ts.CallExpression} call
 */
function isRedisCallWithOwnKey(call) {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || !REDIS_CALLS.has(callee.name.text)) return false;
  if (!/redis|subscriber|publisher/i.test(callee.expression.getText())) return false;
  const key = call.arguments[0];
  return key !== undefined && (ts.isStringLiteralLike(key) || ts.isTemplateExpression(key));
}

/**
 * @param {string} root
 * @param {string} path
 */
function parse(root, path) {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true);
}
