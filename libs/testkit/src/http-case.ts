import { isDeepStrictEqual } from 'node:util';

/**
 * One request with its expected response. `{{name}}` in the path, headers and body is replaced with a saved
 * value.
 */
export interface HttpCase {
  readonly name?: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent as JSON. A string is sent as it is. */
  readonly body?: unknown;
  readonly expect: {
    readonly status: number;
    /** The expected headers. A string must be equal to the value, and a RegExp must match it. */
    readonly headers?: Readonly<Record<string, string | RegExp>>;
    /**
     * The expected body. Its members must be present and equal. Other members are ignored. Lists must have
     * the same length.
     */
    readonly body?: unknown;
    /** The expected error code in the body. */
    readonly code?: string;
  };
  /** Saves members of the response by name, such as `{ post: 'data.id' }`. */
  readonly save?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined if it is not JSON. */
  readonly json: unknown;
}

/**
 * Sends the requests of the cases in order to a server with this base URL, and checks the responses.
 *
 * @param saved the values for `{{name}}`; `save` adds values to it
 * @returns the responses in order
 * @throws Error that contains the name of the first case that differs, all its differences and the body
 */
export async function runHttpCases(
  baseUrl: string,
  cases: readonly HttpCase[],
  saved: Record<string, string> = {},
): Promise<HttpResponse[]> {
  const answers: HttpResponse[] = [];
  for (const httpCase of cases) answers.push(await runHttpCase(baseUrl, httpCase, saved));
  return answers;
}

async function runHttpCase(
  baseUrl: string,
  httpCase: HttpCase,
  saved: Record<string, string> = {},
): Promise<HttpResponse> {
  const answer = await sendHttpCase(baseUrl, httpCase, saved);
  const differences = compareResponse(httpCase, answer, saved);
  if (differences.length > 0) {
    const title = `${httpCase.name ?? ''} ${httpCase.method} ${fillIn(httpCase.path, saved)}`.trim();
    throw new Error(
      `${title}\n  ${differences.join('\n  ')}\n  answer: ${answer.status} ${answer.text.slice(0, 2_000)}`,
    );
  }
  for (const [name, path] of Object.entries(httpCase.save ?? {}))
    saved[name] = String(readPath(answer.json, path));
  return answer;
}

async function sendHttpCase(
  baseUrl: string,
  httpCase: HttpCase,
  saved: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(httpCase.headers ?? {})) headers.set(name, fillIn(value, saved));
  let body: string | undefined;
  if (httpCase.body !== undefined) {
    body = fillIn(typeof httpCase.body === 'string' ? httpCase.body : JSON.stringify(httpCase.body), saved);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  }
  const res = await fetch(baseUrl + fillIn(httpCase.path, saved), {
    method: httpCase.method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await res.text();
  return { status: res.status, headers: res.headers, text, json: parseJson(text) };
}

function compareResponse(
  httpCase: HttpCase,
  answer: HttpResponse,
  saved: Readonly<Record<string, string>>,
): string[] {
  const { expect } = httpCase;
  const differences: string[] = [];
  if (answer.status !== expect.status) differences.push(`status is ${answer.status}, not ${expect.status}`);
  for (const [name, expected] of Object.entries(expect.headers ?? {})) {
    const found = answer.headers.get(name);
    const isAlike =
      typeof expected === 'string' ? found === expected : found !== null && expected.test(found);
    if (!isAlike) differences.push(`header ${name} is ${String(found)}, not ${String(expected)}`);
  }
  if (expect.code !== undefined) {
    const found = readPath(answer.json, 'code');
    if (found !== expect.code) differences.push(`code is ${String(found)}, not ${expect.code}`);
  }
  if (expect.body !== undefined)
    differences.push(...findDifferences(fillInValue(expect.body, saved), answer.json, 'body'));
  return differences;
}

/**
 * Returns sentences about the differences between `found` and `expected`. Members that only `found` has are
 * ignored. Returns an empty list if there are no differences.
 */
export function findDifferences(expected: unknown, found: unknown, at = 'value'): string[] {
  if (expected instanceof RegExp)
    return typeof found === 'string' && expected.test(found)
      ? []
      : [`${at} is ${show(found)}, not like ${String(expected)}`];
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return [`${at} is ${show(found)}, not a list`];
    if (found.length !== expected.length)
      return [`${at} has ${found.length} entries, not ${expected.length}`];
    return expected.flatMap((entry: unknown, index) =>
      findDifferences(entry, found[index], `${at}[${index}]`),
    );
  }
  if (isRecord(expected)) {
    if (!isRecord(found)) return [`${at} is ${show(found)}, not an object`];
    return Object.entries(expected).flatMap(([name, value]) =>
      name in found ? findDifferences(value, found[name], `${at}.${name}`) : [`${at}.${name} is missing`],
    );
  }
  return isDeepStrictEqual(expected, found) ? [] : [`${at} is ${show(found)}, not ${show(expected)}`];
}

function fillIn(text: string, saved: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = saved[name];
    if (value === undefined) throw new Error(`Nothing was saved as ${whole}`);
    return value;
  });
}

function fillInValue(value: unknown, saved: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return fillIn(value, saved);
  if (Array.isArray(value)) return value.map((entry: unknown) => fillInValue(entry, saved));
  if (isRecord(value) && !(value instanceof RegExp))
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, fillInValue(entry, saved)]),
    );
  return value;
}

function readPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (isRecord(at) || Array.isArray(at) ? (at as Record<string, unknown>)[name] : undefined),
      value,
    );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return (text ?? 'undefined').slice(0, 200);
}
