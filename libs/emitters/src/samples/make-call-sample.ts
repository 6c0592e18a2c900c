import { quoteAddress, quoteForShell } from './quote-for-shell.js';

/** A language in which a call is shown. `typescript` uses the generated client. */
export type SampleLanguage = 'curl' | 'javascript' | 'typescript' | 'python' | 'php' | 'go';

export interface SampleRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly address: string;
  readonly body?: unknown;
}

/**
 * Returns a program that sends one request. Without a secret, it reads the API key from the environment
 * variable `ROWHOUSE_KEY`.
 */
export function makeCallSample(
  language: Exclude<SampleLanguage, 'typescript'>,
  request: SampleRequest,
  secret: string | null,
): string {
  return WRITERS[language](request, secret);
}

const WRITERS = { curl: makeCurl, javascript: makeJavaScript, python: makePython, php: makePhp, go: makeGo };

/**
 * Returns a program that uses the generated client in the folder `client`.
 *
 * @param baseUrl the URL of the data API without its prefix
 * @param call an expression with `client`, such as `client.posts.list()`
 */
export function makeClientSample(baseUrl: string, call: string): string {
  return [
    "import { createClient } from './client/client.js';",
    '',
    `const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, key: process.env.ROWHOUSE_KEY ?? '' });`,
    `console.log(await ${call});`,
  ].join('\n');
}

function makeCurl({ method, address, body }: SampleRequest, secret: string | null): string {
  // Without `-g`, curl would expand brackets and braces in the URL.
  const options = `${/[[\]{}]/.test(address) ? '-g ' : ''}${method === 'GET' ? '' : `-X ${method} `}`;
  const lines = [
    `curl ${options}${quoteAddress(address)}`,
    `  -H "Authorization: Bearer ${secret ?? '$ROWHOUSE_KEY'}"`,
  ];
  if (body !== undefined)
    lines.push(`  -H "Content-Type: application/json"`, `  -d ${quoteForShell(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}

function makeJavaScript({ method, address, body }: SampleRequest, secret: string | null): string {
  const key = secret === null ? 'process.env.ROWHOUSE_KEY' : JSON.stringify(secret);
  const options = [method === 'GET' ? null : `  method: "${method}",`];
  if (body === undefined) options.push(`  headers: { Authorization: \`Bearer \${key}\` },`);
  else
    options.push(
      `  headers: { Authorization: \`Bearer \${key}\`, "Content-Type": "application/json" },`,
      `  body: JSON.stringify(${JSON.stringify(body)}),`,
    );
  return [
    `const key = ${key};`,
    `const answer = await fetch(${JSON.stringify(address)}, {`,
    ...options.filter((line) => line !== null),
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    method === 'DELETE' ? 'console.log(answer.status);' : 'console.log(await answer.json());',
  ].join('\n');
}

function makePython({ method, address, body }: SampleRequest, secret: string | null): string {
  const key = secret === null ? 'os.environ["ROWHOUSE_KEY"]' : JSON.stringify(secret);
  return [
    ...(secret === null ? ['import os'] : []),
    'import requests',
    '',
    `key = ${key}`,
    `answer = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(address)},`,
    '    headers={"Authorization": f"Bearer {key}"},',
    ...(body === undefined ? [] : [`    json=${toPython(body)},`]),
    ')',
    'answer.raise_for_status()',
    method === 'DELETE' ? 'print(answer.status_code)' : 'print(answer.json())',
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

function makePhp({ method, address, body }: SampleRequest, secret: string | null): string {
  return [
    '<?php',
    `$key = ${secret === null ? "getenv('ROWHOUSE_KEY')" : quoteForPhp(secret)};`,
    `$answer = file_get_contents(${quoteForPhp(address)}, false, stream_context_create(['http' => [`,
    `    'method' => '${method}',`,
    `    'header' => ["Authorization: Bearer $key"${body === undefined ? '' : ", 'Content-Type: application/json'"}],`,
    ...(body === undefined ? [] : [`    'content' => ${quoteForPhp(JSON.stringify(body))},`]),
    ']]));',
    'if ($answer === false) exit(1);',
    'echo $answer, PHP_EOL;',
  ].join('\n');
}

function quoteForPhp(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function makeGo({ method, address, body }: SampleRequest, secret: string | null): string {
  const key = secret === null ? 'os.Getenv("ROWHOUSE_KEY")' : JSON.stringify(secret);
  const packages = [
    'fmt',
    'io',
    'log',
    'net/http',
    ...(secret === null ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const source = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(JSON.stringify(body))})`;
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(address)}, ${source})`,
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    `\trequest.Header.Set("Authorization", "Bearer "+${key})`,
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\ttext, err := io.ReadAll(answer.Body)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tif answer.StatusCode >= 400 {',
    '\t\tlog.Fatalf("%s: %s", answer.Status, text)',
    '\t}',
    '\tfmt.Println(string(text))',
    '}',
  ].join('\n');
}
