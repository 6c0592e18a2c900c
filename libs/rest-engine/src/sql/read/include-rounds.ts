import { AppError } from '@rowhouse/errors';
import type { IncludeNode } from '../../plan/plan-parts.js';
import type { Cell } from '../../values/cell.js';
import { childColumns, keyText, neededColumns, parentColumns, readKey } from './include-keys.js';
import { countedStatement, includeStatements } from './include-statements.js';
import type { Statement, StatementRound, ResultSet } from '../statement.js';

export const CHILDREN_MAX = 100_000;

/** Returns the results of one include, without those that were incomplete. */
export function wholeResults(results: readonly ResultSet[], path: string): ResultSet[] {
  return results.filter((result) => {
    const { role } = result.statement;
    return role.kind === 'include' && role.path === path && !isOverfull(result);
  });
}

function isOverfull(result: ResultSet): boolean {
  const { role } = result.statement;
  return role.kind === 'include' && role.rowsMax !== null && result.rowCount > role.rowsMax;
}

/**
 * Returns the next round of statements for `include`. The parents are the rows of the results with the role
 * `records`. Each round reads one level of the include tree, and repeats chunks that were incomplete. Returns
 * null if everything is read. The next round depends on `results` only.
 */
export function nextIncludeRound(
  include: readonly IncludeNode[],
  rowsUsed: number,
  results: readonly ResultSet[],
): StatementRound | null {
  if (include.length === 0) return null;
  checkChildren(results);
  const statements: Statement[] = [];
  collect(
    include,
    results.filter((result) => result.statement.role.kind === 'records'),
    0,
    rowsUsed,
    results,
    statements,
  );
  return statements.length === 0 ? null : { statements, isOrdered: false };
}

function checkChildren(results: readonly ResultSet[]): void {
  let children = 0;
  for (const result of results)
    if (result.statement.role.kind === 'include' && !isOverfull(result)) children += result.rowCount;
  if (children <= CHILDREN_MAX) return;
  throw new AppError('params.invalid', {
    faults: [
      {
        loc: ['query', 'include'],
        msg: `The records include more than ${CHILDREN_MAX} related records.`,
        type: 'too_many',
      },
    ],
    hint: 'Request fewer records or fewer relationships.',
  });
}

/**
 * Collects the statements that read one level of the tree. `keysBefore` is the number of a parent's retained
 * cells that link it to its own parent. They come before its other cells.
 */
function collect(
  nodes: readonly IncludeNode[],
  parents: readonly ResultSet[],
  keysBefore: number,
  rowsUsed: number,
  results: readonly ResultSet[],
  statements: Statement[],
): void {
  const needed = neededColumns(nodes);
  for (const node of nodes) {
    const requests = results.filter(
      (result) => result.statement.role.kind === 'include' && result.statement.role.path === node.path,
    );
    if (requests.length === 0) {
      const positions = parentColumns(node.relationship).map((column) => keysBefore + needed.indexOf(column));
      statements.push(...includeStatements(node, distinctKeys(parents, positions, rowsUsed)));
      continue;
    }
    const again = requests.filter((result) => isOverfull(result) && !isAnswered(result, requests));
    statements.push(...again.map((result) => countedStatement(node, result.statement)));
    if (again.length > 0) continue;
    collect(
      node.children,
      wholeResults(results, node.path),
      childColumns(node.relationship).length,
      Number.POSITIVE_INFINITY,
      results,
      statements,
    );
  }
}

function isAnswered(overfull: ResultSet, requests: readonly ResultSet[]): boolean {
  const chunk = overfull.statement.role.kind === 'include' ? overfull.statement.role.chunk : -1;
  return requests.some(
    ({ statement: { role } }) => role.kind === 'include' && role.chunk === chunk && role.rowsMax === null,
  );
}

function distinctKeys(
  parents: readonly ResultSet[],
  positions: readonly number[],
  rowsUsed: number,
): Cell[][] {
  const keys = new Map<string, Cell[]>();
  for (const parent of parents) {
    const rows = Math.min(parent.rowCount, rowsUsed);
    for (let row = 0; row < rows; row += 1) {
      const key = readKey(parent, row, positions);
      if (key !== null) keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
}
