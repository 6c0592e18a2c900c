import { toGatewayAddress } from '../../data/gateway/call-gateway.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';

export type SnippetLanguage = 'curl' | 'javascript' | 'python';

export const SNIPPET_LANGUAGES: readonly {
  value: SnippetLanguage;
  label: string;
  code: 'bash' | 'javascript' | 'python';
}[] = [
  { value: 'curl', label: 'curl', code: 'bash' },
  { value: 'javascript', label: 'JavaScript', code: 'javascript' },
  { value: 'python', label: 'Python', code: 'python' },
];

/**
 * Returns the code of one API call in a programming language. Without a secret, the code reads the API key
 * from the environment variable `ROWHOUSE_KEY`.
 */
export function makeCallSnippet(
  language: SnippetLanguage,
  baseUrl: string,
  request: GatewayCall,
  secret: string | null,
): string {
  const address = toGatewayAddress(baseUrl, request.path);
  if (language === 'curl') return makeCurl(address, request, secret);
  if (language === 'javascript') return makeJavaScript(address, request, secret);
  return makePython(address, request, secret);
}

function makeCurl(address: string, request: GatewayCall, secret: string | null): string {
  const lines = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${quoteAddress(address)}`,
    `  -H "Authorization: Bearer ${secret ?? '$ROWHOUSE_KEY'}"`,
  ];
  if (request.body !== undefined)
    lines.push(
      `  -H "Content-Type: application/json"`,
      `  -d ${quoteForShell(JSON.stringify(request.body))}`,
    );
  return lines.join(' \\\n');
}

/**
 * Quotes a text for a shell. Within single quotes, all characters stay unchanged, except a single quote. For
 * that character, the quoted text is closed, the quote is escaped, and the quoted text is opened again.
 */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Quotes a URL for a shell. Double quotes are easier to read. If the URL contains a character that a shell
 * interprets within them, single quotes are used.
 */
export function quoteAddress(address: string): string {
  return /^[^\s"$`\\!]*$/.test(address) ? `"${address}"` : quoteForShell(address);
}

function makeJavaScript(address: string, request: GatewayCall, secret: string | null): string {
  const key = secret === null ? 'process.env.ROWHOUSE_KEY' : JSON.stringify(secret);
  const options = [request.method === 'GET' ? null : `  method: "${request.method}",`];
  if (request.body === undefined) options.push(`  headers: { Authorization: \`Bearer \${key}\` },`);
  else
    options.push(
      `  headers: { Authorization: \`Bearer \${key}\`, "Content-Type": "application/json" },`,
      `  body: JSON.stringify(${JSON.stringify(request.body)}),`,
    );
  return [
    `const key = ${key};`,
    `const answer = await fetch(${JSON.stringify(address)}, {`,
    ...options.filter((line) => line !== null),
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    request.method === 'DELETE' ? 'console.log(answer.status);' : 'console.log(await answer.json());',
  ].join('\n');
}

function makePython(address: string, request: GatewayCall, secret: string | null): string {
  const key = secret === null ? 'os.environ["ROWHOUSE_KEY"]' : JSON.stringify(secret);
  const body = request.body === undefined ? [] : [`    json=${toPython(request.body)},`];
  return [
    ...(secret === null ? ['import os'] : []),
    'import requests',
    '',
    `key = ${key}`,
    `answer = requests.${request.method.toLowerCase()}(`,
    `    ${JSON.stringify(address)},`,
    '    headers={"Authorization": f"Bearer {key}"},',
    ...body,
    ')',
    'answer.raise_for_status()',
    request.method === 'DELETE' ? 'print(answer.status_code)' : 'print(answer.json())',
  ].join('\n');
}

/** Writes a JSON value as a Python literal. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${toPython(member)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
