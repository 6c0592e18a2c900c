/**
 * Facts about the rows of a view, from its definition. Names are in backquotes. Expressions are tokens separated
 * by spaces.
 */
export interface ViewShape {
  readonly outputs: readonly ViewOutput[];
  /**
   * The tables in FROM. The list is empty if FROM contains anything except tables, or if a row of the view
   * does not consist of one row of each table.
   */
  readonly tables: readonly ViewTable[];
  readonly equalities: readonly ViewEquality[];
  /** The expressions of GROUP BY, or null without it. */
  readonly groups: readonly string[] | null;
  readonly order: readonly ViewOrder[];
}

export interface ViewOutput {
  readonly name: string;
  readonly expression: string;
}

export interface ViewTable {
  readonly alias: string;
  readonly name: string;
}

/** Two columns that are equal in every row of the view, except in rows without a match in an outer join. */
export interface ViewEquality {
  readonly sides: readonly [string, string];
  /** The aliases of tables whose rows this join condition looks up. */
  readonly finds: ReadonlySet<string>;
}

export interface ViewOrder {
  readonly expression: string;
  readonly direction: 'ASC' | 'DESC';
}

const TOKENS = /`(?:[^`]|``)*`|'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"|[\w$@]+|\S/g;
const CLAUSES = new Set(['select', 'from', 'where', 'group', 'having', 'order', 'limit', 'window']);
const SET_OPERATORS = new Set(['union', 'except', 'intersect', 'into', 'for', 'procedure']);
const JOIN_WORDS = new Set(['join', 'left', 'right', 'inner', 'cross', 'outer', 'straight_join']);

/**
 * Parses a CREATE VIEW statement as `SHOW CREATE VIEW` returns it. Returns null for unsupported statements,
 * such as a UNION.
 */
export function readView(createSql: string): ViewShape | null {
  const tokens = createSql.replace(/ WITH (?:CASCADED|LOCAL) CHECK OPTION$/i, '').match(TOKENS) ?? [];
  const start = tokens.findIndex(
    (token, index) => token.toLowerCase() === 'as' && tokens[index + 1]?.toLowerCase() === 'select',
  );
  const clauses = start < 0 ? null : splitClauses(tokens.slice(start + 1));
  if (clauses === null) return null;
  const isDistinct = clauses.get('select')?.[0] === 'distinct';
  const outputs = readOutputs(clauses.get('select') ?? [], readColumnList(tokens.slice(0, start)));
  const group = clauses.get('group');
  const groups = group === undefined ? null : splitAt(group.slice(1), ',').map(toText);
  const from =
    isDistinct || groups?.at(-1)?.endsWith('with rollup') === true
      ? null
      : readFrom(clauses.get('from') ?? []);
  const tables = from?.tables ?? [];
  const everywhere = new Set(tables.map(({ alias }) => alias));
  const equalities = [...(from?.equalities ?? []), ...readEqualities(clauses.get('where') ?? [], everywhere)];
  return {
    outputs,
    tables,
    equalities,
    groups,
    order: splitAt((clauses.get('order') ?? []).slice(1), ',')
      .filter((part) => part.length > 0)
      .map(readOrder),
  };
}

function splitClauses(tokens: readonly string[]): Map<string, string[]> | null {
  const clauses = new Map<string, string[]>();
  let clause: string[] = [];
  let depth = 0;
  for (const token of tokens) {
    const word = /^\w/.test(token) ? token.toLowerCase() : token;
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    if (depth === 0 && SET_OPERATORS.has(word)) return null;
    if (depth === 0 && CLAUSES.has(word)) clauses.set(word, (clause = []));
    else clause.push(word);
  }
  return clauses;
}

/**
 * Returns the column names that follow the view's name in parentheses. Returns an empty list without such
 * names.
 */
function readColumnList(head: readonly string[]): string[] {
  const open = head.lastIndexOf('(');
  return head.at(-1) === ')' && head[open - 1]?.startsWith('`') === true
    ? splitAt(head.slice(open + 1, -1), ',').map(toText)
    : [];
}

function readOutputs(select: readonly string[], names: readonly string[]): ViewOutput[] {
  return splitAt(select, ',').map((tokens, index) => {
    const end = tokens.lastIndexOf('as');
    return {
      name: names[index] ?? tokens.at(-1) ?? '',
      expression: toText(end < 0 ? tokens : tokens.slice(0, end)),
    };
  });
}

function readOrder(tokens: readonly string[]): ViewOrder {
  const last = tokens.at(-1);
  const hasWord = last === 'asc' || last === 'desc';
  return {
    expression: toText(hasWord ? tokens.slice(0, -1) : tokens),
    direction: last === 'desc' ? 'DESC' : 'ASC',
  };
}

interface Joined {
  readonly tables: readonly ViewTable[];
  readonly equalities: readonly ViewEquality[];
}

/**
 * Parses FROM. Returns null if it contains a subquery, a table of another database, or anything except joins
 * of tables.
 */
function readFrom(tokens: readonly string[]): Joined | null {
  let index = 0;
  const readTable = (): Joined | null => {
    if (tokens[index] === '(') {
      index += 1;
      const inner = readJoins();
      index += 1;
      return tokens[index - 1] === ')' ? inner : null;
    }
    const name = tokens[index] ?? '';
    if (!name.startsWith('`') || tokens[index + 1] === '.') return null;
    const alias = tokens[index + 1]?.startsWith('`') === true ? (tokens[index + 1] ?? '') : name;
    index += alias === name && tokens[index + 1] !== alias ? 1 : 2;
    return { tables: [{ alias, name }], equalities: [] };
  };
  const readJoins = (): Joined | null => {
    let left = readTable();
    while (left !== null && JOIN_WORDS.has(tokens[index] ?? '')) {
      const kind = tokens[index];
      while (JOIN_WORDS.has(tokens[index] ?? '')) index += 1;
      const right = readTable();
      if (right === null) return null;
      const condition: string[] = [];
      if (tokens[index] === 'on')
        for (let depth = 0, isIn = true; isIn;) {
          index += 1;
          depth += tokens[index] === '(' ? 1 : tokens[index] === ')' ? -1 : 0;
          isIn = index < tokens.length && depth >= 0 && !(depth === 0 && JOIN_WORDS.has(tokens[index] ?? ''));
          if (isIn) condition.push(tokens[index] ?? '');
        }
      const found =
        kind === 'left' ? right.tables : kind === 'right' ? left.tables : [...left.tables, ...right.tables];
      left = {
        tables: [...left.tables, ...right.tables],
        equalities: [
          ...left.equalities,
          ...right.equalities,
          ...readEqualities(condition, new Set(found.map(({ alias }) => alias))),
        ],
      };
    }
    return left;
  };
  const joined = readJoins();
  return index === tokens.length ? joined : null;
}

/** Returns the conditions of the form `a.x = b.y` in a list of conditions joined by AND. */
function readEqualities(condition: readonly string[], finds: ReadonlySet<string>): ViewEquality[] {
  const tokens = stripParentheses(condition);
  if (splitAt(tokens, 'or').length > 1 || splitAt(tokens, 'xor').length > 1) return [];
  const parts = splitAt(tokens, 'and');
  if (parts.length > 1) return parts.flatMap((part) => readEqualities(part, finds));
  const [a, , b, sign, c, , d] = tokens;
  const isPlain =
    tokens.length === 7 &&
    sign === '=' &&
    tokens[1] === '.' &&
    tokens[5] === '.' &&
    [a, b, c, d].every((name) => name?.startsWith('`') === true);
  return isPlain ? [{ sides: [`${a} . ${b}`, `${c} . ${d}`], finds }] : [];
}

function stripParentheses(tokens: readonly string[]): readonly string[] {
  if (tokens[0] !== '(') return tokens;
  let depth = 0;
  const end = tokens.findIndex((token) => (depth += token === '(' ? 1 : token === ')' ? -1 : 0) === 0);
  return end === tokens.length - 1 ? stripParentheses(tokens.slice(1, -1)) : tokens;
}

/** Splits at `mark` outside parentheses. */
function splitAt(tokens: readonly string[], mark: string): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    if (depth === 0 && token === mark) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function toText(tokens: readonly string[]): string {
  return tokens.join(' ');
}
