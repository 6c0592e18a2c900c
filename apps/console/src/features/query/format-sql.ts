import { readSqlTokens, type SqlToken } from './read-sql-tokens.js';

/** A line is broken where it would be longer. */
const LINE_LENGTH_MAX = 72;
const STEP = '  ';

interface Group {
  readonly kind: 'group';
  readonly nodes: readonly Piece[];
  readonly isApart: boolean;
}
type Piece = SqlToken | Group;

/** Words written in capitals; all others stay as they are. */
const KEYWORDS = new Set('ALL ANALYZE AND AS ASC BETWEEN BY CASE CROSS DELETE DESC DISTINCT ELSE EXCEPT EXISTS EXPLAIN FOR FROM GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER OVER PARTITION RECURSIVE RIGHT SELECT SET THEN UNION UPDATE USING VALUES WHEN WHERE WITH'.split(' '));
/** A clause begins with each of these, where it is not the name of a function. */
const CLAUSES = new Set(['SELECT', 'FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'UNION', 'EXCEPT', 'INTERSECT', 'SET', 'JOIN', 'LEFT', 'RIGHT', 'INNER', 'CROSS', 'NATURAL', 'WINDOW']);
const JOIN_WORDS = new Set(['LEFT', 'RIGHT', 'INNER', 'CROSS', 'NATURAL', 'OUTER']);
const SPACED_MARKS = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '<=>', ':=', '&&', '||']);

/** SQL laid out to be read: a line for each clause, more where one is long. Nothing but blanks and the case of keywords changes; text that cannot be read to its end stays as it is. */
export function formatSql(text: string): string {
  const statements = splitStatements(readSqlTokens(text)).map(toNodes);
  if (statements.some((nodes) => nodes === null)) return text;
  const ends = /;\s*$/.test(text) ? ';' : '';
  return statements.map((nodes) => closeLine(layOut(nodes ?? [], ''), nodes ?? [], '')).join(';\n\n') + ends;
}

function splitStatements(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'mark' && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

/** Tokens with what stands in parentheses as one; null where these do not match. */
function toNodes(tokens: readonly SqlToken[]): readonly Piece[] | null {
  const open: { nodes: Piece[]; isApart: boolean }[] = [{ nodes: [], isApart: false }];
  for (const token of tokens) {
    if (token.kind === 'mark' && token.text === '(') open.push({ nodes: [], isApart: token.isApart });
    else if (token.kind === 'mark' && token.text === ')') {
      const closed = open.pop();
      if (closed === undefined || open.length === 0) return null;
      open.at(-1)?.nodes.push({ kind: 'group', ...closed });
    } else open.at(-1)?.nodes.push(token);
  }
  return open.length === 1 ? (open[0]?.nodes ?? []) : null;
}

function wordOf(node: Piece | undefined): string {
  return node?.kind === 'word' ? node.text.toUpperCase() : '';
}

function isMark(node: Piece | undefined, text: string): boolean {
  return node?.kind === 'mark' && node.text === text;
}

function isLineComment(node: Piece | undefined): boolean {
  return node?.kind === 'comment' && !node.text.startsWith('/*');
}

/** What follows a comment that reaches to the end of its line begins the next one. */
function closeLine(text: string, nodes: readonly Piece[], indent: string): string {
  return isLineComment(nodes.at(-1)) ? `${text}\n${indent}` : text;
}

function layOut(nodes: readonly Piece[], indent: string): string {
  return splitClauses(nodes).map((clause) => indent + writeClause(clause, indent)).join('\n');
}

/** A statement and each of its clauses begin a line; DELETE FROM, and the words before JOIN, are one. */
function splitClauses(nodes: readonly Piece[]): Piece[][] {
  const clauses: Piece[][] = [[]];
  nodes.forEach((node, at) => {
    const word = wordOf(node);
    const before = wordOf(nodes[at - 1]);
    const isName = isMark(nodes[at - 1], '.') || isMark(nodes[at + 1], '.');
    const isCall = nodes[at + 1]?.kind === 'group' && JOIN_WORDS.has(word);
    const isGoingOn = (word === 'FROM' && before === 'DELETE') || ((word === 'JOIN' || JOIN_WORDS.has(word)) && JOIN_WORDS.has(before)) || (word === 'SET' && before === 'CHARACTER');
    const isValues = word === 'VALUES' && ['INSERT', 'REPLACE'].includes(wordOf(clauses.at(-1)?.[0]));
    if (at > 0 && !isName && !isCall && !isGoingOn && (CLAUSES.has(word) || isValues)) clauses.push([]);
    clauses.at(-1)?.push(node);
  });
  return clauses.filter((clause) => clause.length > 0);
}

/** In one line where it fits; else a list by its items, conditions one below the other. */
function writeClause(clause: readonly Piece[], indent: string): string {
  const whole = writeInline(clause, indent);
  if (`${indent}${whole}`.split('\n').every((line) => line.length <= LINE_LENGTH_MAX)) return whole;
  const head = wordOf(clause[0]);
  if (['WHERE', 'HAVING', 'JOIN'].includes(head) || JOIN_WORDS.has(head)) return splitConditions(clause).map((part) => writeInline(part, indent + STEP)).join(`\n${indent}${STEP}`);
  const heads = countHeads(clause);
  const items = splitItems(clause.slice(heads));
  if (items.length < 2 || clause.some(isLineComment)) return whole;
  return `${writeInline(clause.slice(0, heads), indent)}\n${items.map((item) => `${indent}${STEP}${writeInline(item, indent + STEP)}`).join(',\n')}`;
}

/** Words that a list stands behind: SELECT DISTINCT, GROUP BY. */
function countHeads(clause: readonly Piece[]): number {
  return ['DISTINCT', 'ALL', 'BY', 'RECURSIVE'].includes(wordOf(clause[1])) ? 2 : 1;
}

function splitItems(nodes: readonly Piece[]): Piece[][] {
  const items: Piece[][] = [[]];
  for (const node of nodes) {
    if (isMark(node, ',')) items.push([]);
    else items.at(-1)?.push(node);
  }
  return items;
}

/** Before each AND and OR; that of BETWEEN, and those within CASE, join no conditions. */
function splitConditions(nodes: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [[]];
  let cases = 0;
  let isBetween = false;
  for (const node of nodes) {
    const word = wordOf(node);
    if (word === 'CASE') cases += 1;
    else if (word === 'END') cases -= 1;
    if (cases === 0 && ((word === 'AND' && !isBetween) || word === 'OR')) parts.push([]);
    if (word === 'BETWEEN') isBetween = true;
    else if (word === 'AND') isBetween = false;
    parts.at(-1)?.push(node);
  }
  return parts;
}

function writeInline(nodes: readonly Piece[], indent: string): string {
  let text = '';
  nodes.forEach((node, at) => {
    const before = nodes[at - 1];
    if (at > 0 && !text.endsWith('\n') && needsBlank(before, node)) text += ' ';
    else if (text.endsWith('\n')) text += indent + STEP;
    text += writeNode(node, before, nodes[at + 1], indent);
  });
  return text.trimEnd();
}

function writeNode(node: Piece, before: Piece | undefined, after: Piece | undefined, indent: string): string {
  if (node.kind === 'group') {
    if (!['SELECT', 'WITH'].includes(wordOf(node.nodes[0]))) return `(${closeLine(writeInline(node.nodes, indent), node.nodes, indent)})`;
    return `(\n${layOut(node.nodes, indent + STEP)}\n${indent})`;
  }
  if (node.kind === 'comment') return isLineComment(node) ? `${node.text}\n` : node.text;
  const isName = isMark(before, '.') || isMark(after, '.');
  return node.kind === 'word' && !isName && KEYWORDS.has(node.text.toUpperCase()) ? node.text.toUpperCase() : node.text;
}

/** Where SQL reads the same either way there is one form; else it stays as it was: `count (*)` and `count(*)` may differ. */
function needsBlank(before: Piece | undefined, node: Piece): boolean {
  if (isMark(node, ',') || isMark(node, '.') || isMark(before, '.')) return false;
  if (isMark(before, ',')) return true;
  const isSpaced = (one: Piece | undefined): boolean => one?.kind === 'mark' && SPACED_MARKS.has(one.text);
  return isSpaced(node) || isSpaced(before) || node.isApart;
}
