export type ParsedModelResponse =
  | { readonly kind: 'sql'; readonly sql: string }
  /** The model responded that it cannot answer the question. `reason` may be empty. */
  | { readonly kind: 'unable'; readonly reason: string }
  | { readonly kind: 'unreadable' };

/**
 * The maximum length of a response. It exceeds the requested number of tokens by far, but a server may ignore
 * that number.
 */
const ANSWER_CHARACTERS_MAX = 65_536;
const OBJECTS_MAX = 100;
const REASON_CHARACTERS_MAX = 300;
const SQL_KEYS = ['sql', 'SQL', 'query', 'statement'];

/**
 * Extracts the SQL from a model's response. The SQL may be in the requested JSON, in JSON within other text,
 * in nearly valid JSON, in a code fence, or on its own. The guard checks it afterwards.
 */
export function readModelAnswer(answer: string): ParsedModelResponse {
  const text = answer.slice(0, ANSWER_CHARACTERS_MAX);
  const whole = parseJson(text);
  const fromWhole = whole === undefined ? null : readValue(whole);
  if (fromWhole !== null) return fromWhole;
  for (const chunk of listObjects(text).slice(0, OBJECTS_MAX)) {
    const value = parseJson(chunk);
    const parsedModelResponse = value === undefined ? readBrokenObject(chunk) : readValue(value);
    if (parsedModelResponse !== null) return parsedModelResponse;
  }
  return readBrokenObject(text) ?? readFence(text) ?? readBareSql(text) ?? { kind: 'unreadable' };
}

function readValue(value: unknown): ParsedModelResponse | null {
  if (Array.isArray(value)) return value.length === 1 ? readValue(value[0]) : null;
  if (typeof value === 'string') return readBareSql(value);
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of SQL_KEYS) {
    const sql = members[key];
    if (typeof sql === 'string' && sql.trim() !== '')
      return { kind: 'sql', sql: readFenceText(sql) ?? sql.trim() };
    if (sql === null || sql === '')
      return {
        kind: 'unable',
        reason: toReason(members['reason'] ?? members['explanation'] ?? members['error']),
      };
  }
  for (const key of ['answer', 'result', 'output', 'response', 'arguments']) {
    const inner = typeof members[key] === 'object' ? readValue(members[key]) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function toReason(value: unknown): string {
  return typeof value === 'string'
    ? value.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS_MAX)
    : '';
}

/** Returns the texts between matching outermost braces. */
function listObjects(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  let isString = false;
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position];
    if (isString) {
      if (character === '\\') position += 1;
      else if (character === '"') isString = false;
    } else if (character === '"' && depth > 0) isString = true;
    else if (character === '{') {
      if (depth === 0) start = position;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(start, position + 1));
    }
  }
  return found;
}

/**
 * Reads the member `sql` from an object that JSON.parse rejects, because it has line breaks in strings, extra
 * commas or names in single quotes.
 */
function readBrokenObject(text: string): ParsedModelResponse | null {
  const found = /["']?\b(?:sql|query)["']?\s*:\s*"((?:[^"\\]|\\[^])*)"/i.exec(text)?.[1];
  if (found !== undefined && found.trim() !== '') return { kind: 'sql', sql: unescapeText(found).trim() };
  return /["']sql["']\s*:\s*(?:null|none)\b/i.test(text)
    ? { kind: 'unable', reason: toReason(/["']reason["']\s*:\s*"([^"]*)"/i.exec(text)?.[1]) }
    : null;
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|[^])/g, (_whole, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r', b: ' ', f: ' ' }[escape] ?? escape;
  });
}

/** Reads the last code fence that contains SQL. Models often put earlier attempts in fences before it. */
function readFence(text: string): ParsedModelResponse | null {
  const fences = [...text.matchAll(/```[ \t]*\w*[ \t]*\r?\n?([^]*?)(?:```|$)/g)].map((match) =>
    (match[1] ?? '').trim(),
  );
  const sql = fences.filter(startsLikeSql).at(-1);
  return sql === undefined ? null : { kind: 'sql', sql };
}

function readFenceText(text: string): string | null {
  const parsedModelResponse = readFence(text);
  return parsedModelResponse?.kind === 'sql' ? parsedModelResponse.sql : null;
}

/**
 * Reads from a line that begins like SQL up to an empty line or the end of the text. Each line is read once.
 */
function readBareSql(text: string): ParsedModelResponse | null {
  const position = text.search(
    /^[ \t]*(?:sql(?:query)?[ \t]*:[ \t]*)?(?:\([ \t\r]*(?:\n[ \t\r]*)?)*(?:select|with|values)\b/im,
  );
  if (position < 0) return null;
  const sql =
    text
      .slice(position)
      .replace(/^\s*sql(?:query)?\s*:\s*/i, '')
      .split(/\n\s*\n|;\s*\n/)[0]
      ?.trim() ?? '';
  return startsLikeSql(sql) ? { kind: 'sql', sql } : null;
}

/**
 * Reports whether a text begins like any SQL statement. A statement such as DELETE is included, because the
 * guard must reject it.
 */
function startsLikeSql(text: string): boolean {
  return /^\(*\s*(?:select|with|values|show|describe|desc|explain|insert|update|delete|replace|drop|alter|create|truncate|set|call|load|grant|lock|table|handler|do|rename)\b/i.test(
    text,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
