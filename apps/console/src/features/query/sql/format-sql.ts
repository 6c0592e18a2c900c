/** A token of SQL text. `isApart` means that white space precedes the token. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'comment' | 'mark';
  readonly text: string;
  readonly isApart: boolean;
}

const PIECES = [
  String.raw`(?<blank>\s+)`,
  String.raw`(?<comment>--(?=\s|$)[^\n]*|#[^\n]*|/\*[^]*?(?:\*/|$))`,
  String.raw`(?<quoted>'(?:[^'\\]|\\[^]|'')*'?|"(?:[^"\\]|\\[^]|"")*"?|\x60(?:[^\x60]|\x60\x60)*\x60?)`,
  String.raw`(?<word>[\p{L}\p{N}_$@]+)`,
  String.raw`(?<mark><=>|->>|->|<=|>=|<>|!=|:=|\|\||&&|[^])`,
];

const TOKEN = new RegExp(PIECES.join('|'), 'gu');
/** The maximum length of a formatted line, in characters. */
const LINE_LENGTH_MAX = 72;
const STEP = '  ';

interface Group {
  readonly kind: 'group';
  readonly nodes: readonly Piece[];
  readonly isApart: boolean;
}
type Piece = SqlToken | Group;

/** Words that are written in upper case. All others stay unchanged. */
const KEYWORDS = new Set(
  'ALL ANALYZE AND AS ASC BETWEEN BY CASE CROSS DELETE DESC DISTINCT ELSE EXCEPT EXISTS EXPLAIN FOR FROM GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER OVER PARTITION RECURSIVE RIGHT SELECT SET THEN UNION UPDATE USING VALUES WHEN WHERE WITH'.split(
    ' ',
  ),
);
/** The words that start a clause, unless they are used as the name of a function. */
const CLAUSES = new Set([
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'SET',
  'JOIN',
  'LEFT',
  'RIGHT',
  'INNER',
  'CROSS',
  'NATURAL',
  'WINDOW',
]);
const JOIN_WORDS = new Set(['LEFT', 'RIGHT', 'INNER', 'CROSS', 'NATURAL', 'OUTER']);
const SPACED_MARKS = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '<=>', ':=', '&&', '||']);

/**
 * Formats SQL with one line for each clause, and several lines for a long clause. Only white space and the
 * case of keywords change. If the text cannot be parsed, it is returned unchanged.
 */
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

/** Groups the tokens within parentheses. Returns null if the parentheses do not match. */
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

/**
 * Appends a line break if the last token is a line comment. Otherwise the text that follows would become part
 * of the comment.
 */
function closeLine(text: string, nodes: readonly Piece[], indent: string): string {
  return isLineComment(nodes.at(-1)) ? `${text}\n${indent}` : text;
}

function layOut(nodes: readonly Piece[], indent: string): string {
  return splitClauses(nodes)
    .map((clause) => indent + writeClause(clause, indent))
    .join('\n');
}

/**
 * Splits tokens into clauses, each of which starts a line. DELETE FROM counts as one clause, and so do JOIN
 * and the words before it.
 */
function splitClauses(nodes: readonly Piece[]): Piece[][] {
  const clauses: Piece[][] = [[]];
  nodes.forEach((node, index) => {
    const word = wordOf(node);
    const before = wordOf(nodes[index - 1]);
    const isName = isMark(nodes[index - 1], '.') || isMark(nodes[index + 1], '.');
    const isCall = nodes[index + 1]?.kind === 'group' && JOIN_WORDS.has(word);
    const isGoingOn =
      (word === 'FROM' && before === 'DELETE') ||
      ((word === 'JOIN' || JOIN_WORDS.has(word)) && JOIN_WORDS.has(before)) ||
      (word === 'SET' && before === 'CHARACTER');
    const isValues = word === 'VALUES' && ['INSERT', 'REPLACE'].includes(wordOf(clauses.at(-1)?.[0]));
    if (index > 0 && !isName && !isCall && !isGoingOn && (CLAUSES.has(word) || isValues)) clauses.push([]);
    clauses.at(-1)?.push(node);
  });
  return clauses.filter((clause) => clause.length > 0);
}

/** Writes a clause on one line if it fits. Otherwise each item or condition gets its own line. */
function writeClause(clause: readonly Piece[], indent: string): string {
  const whole = writeInline(clause, indent);
  if (`${indent}${whole}`.split('\n').every((line) => line.length <= LINE_LENGTH_MAX)) return whole;
  const head = wordOf(clause[0]);
  if (['WHERE', 'HAVING', 'JOIN'].includes(head) || JOIN_WORDS.has(head))
    return splitConditions(clause)
      .map((part) => writeInline(part, indent + STEP))
      .join(`\n${indent}${STEP}`);
  const heads = countHeads(clause);
  const items = splitItems(clause.slice(heads));
  if (items.length < 2 || clause.some(isLineComment)) return whole;
  return `${writeInline(clause.slice(0, heads), indent)}\n${items.map((item) => `${indent}${STEP}${writeInline(item, indent + STEP)}`).join(',\n')}`;
}

/**
 * Returns the number of words before the list of a clause, for example two for SELECT DISTINCT or GROUP BY.
 */
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

/**
 * Splits a condition before each AND and OR. The AND of BETWEEN, and any AND or OR within CASE, do not split
 * it.
 */
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
  nodes.forEach((node, index) => {
    const before = nodes[index - 1];
    if (index > 0 && !text.endsWith('\n') && needsBlank(before, node)) text += ' ';
    else if (text.endsWith('\n')) text += indent + STEP;
    text += writeNode(node, before, nodes[index + 1], indent);
  });
  return text.trimEnd();
}

function writeNode(node: Piece, before: Piece | undefined, after: Piece | undefined, indent: string): string {
  if (node.kind === 'group') {
    if (!['SELECT', 'WITH'].includes(wordOf(node.nodes[0])))
      return `(${closeLine(writeInline(node.nodes, indent), node.nodes, indent)})`;
    return `(\n${layOut(node.nodes, indent + STEP)}\n${indent})`;
  }
  if (node.kind === 'comment') return isLineComment(node) ? `${node.text}\n` : node.text;
  const isName = isMark(before, '.') || isMark(after, '.');
  return node.kind === 'word' && !isName && KEYWORDS.has(node.text.toUpperCase())
    ? node.text.toUpperCase()
    : node.text;
}

/**
 * Returns whether to write white space before a token. Around some tokens, white space has no meaning in SQL
 * and is normalized. Elsewhere the original is preserved, because `count (*)` and `count(*)` may differ.
 */
function needsBlank(before: Piece | undefined, node: Piece): boolean {
  if (isMark(node, ',') || isMark(node, '.') || isMark(before, '.')) return false;
  if (isMark(before, ',')) return true;
  const isSpaced = (piece: Piece | undefined): boolean =>
    piece?.kind === 'mark' && SPACED_MARKS.has(piece.text);
  return isSpaced(node) || isSpaced(before) || node.isApart;
}

/**
 * Splits any text into tokens. A token that is not closed extends to the end of the text. Joining the tokens,
 * with white space before those with `isApart`, gives an equivalent text.
 */
export function readSqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let isApart = false;
  for (const match of text.matchAll(TOKEN)) {
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const { blank, comment, quoted, word, mark } = groups;
    if (blank !== undefined) {
      isApart = true;
      continue;
    }
    const kind =
      comment !== undefined
        ? 'comment'
        : quoted !== undefined
          ? 'quoted'
          : word !== undefined
            ? 'word'
            : 'mark';
    tokens.push({ kind, text: comment ?? quoted ?? word ?? mark ?? '', isApart });
    isApart = false;
  }
  return tokens;
}
