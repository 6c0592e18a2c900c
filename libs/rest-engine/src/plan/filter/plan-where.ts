import type { CompiledTable } from '@rowhouse/schema-model';
import { TREE_DEPTH_MAX } from './plan-filter-tree.js';
import type { ConditionContext } from './plan-named-condition.js';
import { planWhereTerm } from './plan-where-term.js';
import type { Condition } from './condition.js';
import { isAtEnd, takeMark, takeWord, type WhereScanner } from './where-scanner.js';

type PendingOperator = 'AND' | 'OR' | 'NOT' | '(';
const BINDING: Readonly<Record<PendingOperator, number>> = { '(': 0, OR: 1, AND: 2, NOT: 3 };

/**
 * The maximum length of `where`. The allowed number of comparisons takes far less text, but the body of a
 * search may have megabytes.
 */
const TEXT_MAX = 262_144;

/**
 * The stacks of the parser: conditions and operators that are not yet joined. A condition with a fault is
 * null, and the fault is already reported.
 */
interface OperatorStacks {
  readonly done: (Condition | null)[];
  readonly waiting: PendingOperator[];
}

/**
 * Plans the parameter `where`, which has comparisons joined by AND, OR, NOT and parentheses. The parser is
 * not recursive, so nesting uses no stack. Returns null after adding a fault.
 */
export function planWhere(table: CompiledTable, text: string, ctx: ConditionContext): Condition | null {
  if (text.length > TEXT_MAX) {
    ctx.faults.add(
      ctx.loc,
      `The text can have at most ${TEXT_MAX} characters.`,
      'too_long',
      'For longer lists of values, use {column}__in.',
    );
    return null;
  }
  const scanner: WhereScanner = { text, position: 0 };
  const stacks: OperatorStacks = { done: [], waiting: [] };
  for (;;) {
    if (!readOperand(table, scanner, stacks, ctx) || ctx.faults.isFull() || ctx.budget.isSpent()) return null;
    while (takeMark(scanner, ')'))
      if (!closeBracket(stacks))
        return reject(scanner, ctx, 'A closing parenthesis has no opening parenthesis.');
    if (isAtEnd(scanner)) break;
    const joint = takeWord(scanner, 'AND') ? 'AND' : takeWord(scanner, 'OR') ? 'OR' : null;
    if (joint === null) return reject(scanner, ctx, 'Expected AND or OR.');
    reduceTo(BINDING[joint], stacks);
    stacks.waiting.push(joint);
  }
  reduceTo(1, stacks);
  return stacks.waiting.length > 0
    ? reject(scanner, ctx, 'A parenthesis is not closed.')
    : (stacks.done[0] ?? null);
}

/** Reads one comparison, with any number of NOT and opening parentheses before it. */
function readOperand(
  table: CompiledTable,
  scanner: WhereScanner,
  stacks: OperatorStacks,
  ctx: ConditionContext,
): boolean {
  for (;;) {
    if (takeMark(scanner, '(')) stacks.waiting.push('(');
    else if (takeWord(scanner, 'NOT')) stacks.waiting.push('NOT');
    else break;
    if (stacks.waiting.length <= TREE_DEPTH_MAX * 2) continue;
    ctx.faults.add(ctx.loc, `Conditions can be nested at most ${TREE_DEPTH_MAX} deep.`, 'too_deep');
    return false;
  }
  const term = planWhereTerm(table, scanner, ctx);
  if (term === 'unreadable') return false;
  if (term === undefined) {
    reject(scanner, ctx, 'Expected a comparison.');
    return false;
  }
  stacks.done.push(term);
  return true;
}

function reject(scanner: WhereScanner, ctx: ConditionContext, msg: string): null {
  const rest = scanner.text.slice(scanner.position).trim().slice(0, 30);
  ctx.faults.add(
    ctx.loc,
    rest === '' ? `${msg} Found the end of the text.` : `${msg} Found ${JSON.stringify(rest)}.`,
    'where_parsing',
    "where=age >= 18 AND (name LIKE 'a%' OR city IS NULL)",
  );
  return null;
}

function closeBracket(stacks: OperatorStacks): boolean {
  reduceTo(1, stacks);
  if (stacks.waiting.pop() !== '(') return false;
  return true;
}

/** Joins the conditions of waiting operators that bind at least as tightly as `binding`. */
function reduceTo(binding: number, { done, waiting }: OperatorStacks): void {
  for (
    let top = waiting.at(-1);
    top !== undefined && top !== '(' && BINDING[top] >= binding;
    top = waiting.at(-1)
  ) {
    waiting.pop();
    const right = done.pop() ?? null;
    if (top === 'NOT') done.push(right === null ? null : { kind: 'not', condition: right });
    else done.push(join(top, done.pop() ?? null, right));
  }
}

function join(operator: 'AND' | 'OR', left: Condition | null, right: Condition | null): Condition | null {
  if (left === null || right === null) return left ?? right;
  const before = left.kind === 'group' && left.operator === operator ? left.conditions : [left];
  return { kind: 'group', operator, conditions: [...before, right] };
}
