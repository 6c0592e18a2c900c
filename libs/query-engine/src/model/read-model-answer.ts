export type ModelReading =
  | { readonly kind: 'sql'; readonly sql: string }
  /** The model says that it cannot, and why; `reason` may be empty. */
  | { readonly kind: 'unable'; readonly reason: string }
  | { readonly kind: 'unreadable' };

/** Far more than an answer of the tokens that are asked for; a server of anybody's may send any amount. */
const ANSWER_CHARACTERS_MAX = 65_536;
const OBJECTS_MAX = 100;
const REASON_CHARACTERS_MAX = 300;
const SQL_KEYS = ['sql', 'SQL', 'query', 'statement'];

/**
 * The SQL of an answer: out of the JSON that was asked for, JSON among other text, JSON that is not quite one, a code
 * fence, or text that is SQL. What it is worth the guard decides.
 */
export function readModelAnswer(answer: string): ModelReading {
  const text = answer.slice(0, ANSWER_CHARACTERS_MAX);
  const whole = parseJson(text);
  const fromWhole = whole === undefined ? null : readValue(whole);
  if (fromWhole !== null) return fromWhole;
  for (const piece of listObjects(text).slice(0, OBJECTS_MAX)) {
    const value = parseJson(piece);
    const reading = value === undefined ? readBrokenObject(piece) : readValue(value);
    if (reading !== null) return reading;
  }
  return readBrokenObject(text) ?? readFence(text) ?? readBareSql(text) ?? { kind: 'unreadable' };
}

function readValue(value: unknown): ModelReading | null {
  if (Array.isArray(value)) return value.length === 1 ? readValue(value[0]) : null;
  if (typeof value === 'string') return readBareSql(value);
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of SQL_KEYS) {
    const sql = members[key];
    if (typeof sql === 'string' && sql.trim() !== '') return { kind: 'sql', sql: readFenceText(sql) ?? sql.trim() };
    if (sql === null || sql === '') return { kind: 'unable', reason: toReason(members['reason'] ?? members['explanation'] ?? members['error']) };
  }
  for (const key of ['answer', 'result', 'output', 'response', 'arguments']) {
    const inner = typeof members[key] === 'object' ? readValue(members[key]) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function toReason(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS_MAX) : '';
}

/** Texts between braces that match, the outermost ones. */
function listObjects(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"' && depth > 0) isString = true;
    else if (character === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(start, at + 1));
    }
  }
  return found;
}

/** A member `sql` in something that JSON.parse does not take: line breaks in texts, commas too many, single quotes around names. */
function readBrokenObject(text: string): ModelReading | null {
  const found = /["']?\b(?:sql|query)["']?\s*:\s*"((?:[^"\\]|\\[^])*)"/i.exec(text)?.[1];
  if (found !== undefined && found.trim() !== '') return { kind: 'sql', sql: unescapeText(found).trim() };
  return /["']sql["']\s*:\s*(?:null|none)\b/i.test(text) ? { kind: 'unable', reason: toReason(/["']reason["']\s*:\s*"([^"]*)"/i.exec(text)?.[1]) } : null;
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|[^])/g, (_whole, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r', b: ' ', f: ' ' }[escape] ?? escape;
  });
}

/** The last fence that holds SQL: what stands before it are tries. */
function readFence(text: string): ModelReading | null {
  const fences = [...text.matchAll(/```[ \t]*\w*[ \t]*\r?\n?([^]*?)(?:```|$)/g)].map((match) => (match[1] ?? '').trim());
  const sql = fences.filter(startsLikeSql).at(-1);
  return sql === undefined ? null : { kind: 'sql', sql };
}

function readFenceText(text: string): string | null {
  const reading = readFence(text);
  return reading?.kind === 'sql' ? reading.sql : null;
}

/** From a line that begins like SQL to an empty line, or to the end. No line is read twice, however many there are. */
function readBareSql(text: string): ModelReading | null {
  const at = text.search(/^[ \t]*(?:sql(?:query)?[ \t]*:[ \t]*)?(?:\([ \t\r]*(?:\n[ \t\r]*)?)*(?:select|with|values)\b/im);
  if (at < 0) return null;
  const sql = text.slice(at).replace(/^\s*sql(?:query)?\s*:\s*/i, '').split(/\n\s*\n|;\s*\n/)[0]?.trim() ?? '';
  return startsLikeSql(sql) ? { kind: 'sql', sql } : null;
}

/** Anything that is a statement: a fence with a DELETE in it is refused by the guard, not passed over. */
function startsLikeSql(text: string): boolean {
  return /^\(*\s*(?:select|with|values|show|describe|desc|explain|insert|update|delete|replace|drop|alter|create|truncate|set|call|load|grant|lock|table|handler|do|rename)\b/i.test(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
