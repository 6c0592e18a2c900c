import { CheckTokens } from './check-tokens.js';
import type { CheckExpression, CompareOp } from './types.js';

const COMPARE: Readonly<Record<string, CompareOp>> = {
  '=': '=',
  '<=>': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/**
 * Parses a CHECK clause in the form in which either engine prints it. Returns null if it contains unknown
 * syntax.
 */
export function readCheck(clause: string): CheckExpression | null {
  const tokens = CheckTokens.of(clause);
  if (tokens === null) return null;
  try {
    const found = readOr(tokens);
    return tokens.isAtEnd() ? found : null;
  } catch (error) {
    if (error instanceof NotUnderstoodError) return null;
    throw error;
  }
}

class NotUnderstoodError extends Error {}

function readOr(tokens: CheckTokens): CheckExpression {
  return readChain(tokens, 'or', ['OR', '||'], readAnd);
}

function readAnd(tokens: CheckTokens): CheckExpression {
  return readChain(tokens, 'and', ['AND', '&&'], readNot);
}

function readChain(
  tokens: CheckTokens,
  kind: 'and' | 'or',
  words: readonly string[],
  readItem: (tokens: CheckTokens) => CheckExpression,
): CheckExpression {
  const items = [readItem(tokens)];
  while (words.some((word) => tokens.take(word))) items.push(readItem(tokens));
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind, items };
}

function readNot(tokens: CheckTokens): CheckExpression {
  return tokens.take('NOT') || tokens.take('!')
    ? { kind: 'not', item: readNot(tokens) }
    : readPredicate(tokens);
}

function readPredicate(tokens: CheckTokens): CheckExpression {
  const left = readSum(tokens);
  if (tokens.take('IS')) {
    const isNegated = tokens.take('NOT');
    if (!tokens.take('NULL')) throw new NotUnderstoodError();
    return negate(isNegated, { kind: 'is_null', item: left });
  }
  const isNot = tokens.take('NOT');
  if (tokens.take('BETWEEN')) {
    const low = readSum(tokens);
    if (!tokens.take('AND')) throw new NotUnderstoodError();
    return negate(isNot, {
      kind: 'and',
      items: [
        { kind: 'compare', op: '>=', left, right: low },
        { kind: 'compare', op: '<=', left, right: readSum(tokens) },
      ],
    });
  }
  if (tokens.take('IN')) return negate(isNot, { kind: 'in', item: left, choices: readList(tokens) });
  if (tokens.take('LIKE')) return negate(isNot, { kind: 'like', item: left, pattern: readSum(tokens) });
  if (isNot) throw new NotUnderstoodError();
  const op = COMPARE[tokens.peek()];
  if (op === undefined) return left;
  tokens.take(tokens.peek());
  return { kind: 'compare', op, left, right: readSum(tokens) };
}

function negate(isNegated: boolean, item: CheckExpression): CheckExpression {
  return isNegated ? { kind: 'not', item } : item;
}

function readList(tokens: CheckTokens): CheckExpression[] {
  if (!tokens.take('(')) throw new NotUnderstoodError();
  const items: CheckExpression[] = [];
  if (tokens.take(')')) return items;
  do items.push(readOr(tokens));
  while (tokens.take(','));
  if (!tokens.take(')')) throw new NotUnderstoodError();
  return items;
}

function readSum(tokens: CheckTokens): CheckExpression {
  let left = readProduct(tokens);
  for (let op = takeOne(tokens, ['+', '-']); op !== null; op = takeOne(tokens, ['+', '-']))
    left = { kind: 'arithmetic', op, left, right: readProduct(tokens) };
  return left;
}

function readProduct(tokens: CheckTokens): CheckExpression {
  let left = readAtom(tokens);
  for (
    let op = takeOne(tokens, ['*', '/', '%', 'MOD']);
    op !== null;
    op = takeOne(tokens, ['*', '/', '%', 'MOD'])
  ) {
    left = { kind: 'arithmetic', op: op === 'MOD' ? '%' : op, left, right: readAtom(tokens) };
  }
  return left;
}

function takeOne<T extends string>(tokens: CheckTokens, words: readonly T[]): T | null {
  return words.find((word) => tokens.take(word)) ?? null;
}

function readAtom(tokens: CheckTokens): CheckExpression {
  if (tokens.take('(')) {
    const inner = readOr(tokens);
    if (!tokens.take(')')) throw new NotUnderstoodError();
    return inner;
  }
  if (tokens.take('-'))
    return { kind: 'arithmetic', op: '-', left: { kind: 'literal', value: 0 }, right: readAtom(tokens) };
  const token = tokens.next();
  switch (token.kind) {
    case 'text':
      return { kind: 'literal', value: token.text };
    case 'number':
      return { kind: 'literal', value: Number(token.text) };
    case 'name':
      return { kind: 'column', name: token.text };
    case 'word':
      return readWord(tokens, token.text);
    default:
      throw new NotUnderstoodError();
  }
}

/**
 * Parses a function call if a list in parentheses follows. Otherwise, parses a constant or the name of a
 * column without backquotes.
 */
function readWord(tokens: CheckTokens, word: string): CheckExpression {
  const upper = word.toUpperCase();
  if (tokens.peek() === '(') return { kind: 'call', name: upper, args: readList(tokens) };
  if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'literal', value: upper === 'TRUE' };
  return upper === 'NULL' ? { kind: 'literal', value: null } : { kind: 'column', name: word };
}
