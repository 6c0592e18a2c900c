import { makeCallSample } from '../samples/make-call-sample.js';
import { describeRules, listParameters, toFilterName } from './read-reference.js';
import type {
  ApiReference,
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceParameter,
} from './reference-types.js';

/** The addresses of the docs page and of the files next to it. */
export interface DocsAddresses {
  /** The absolute URL of the docs page, without a trailing slash. */
  readonly docsUrl: string;
  readonly openApiUrl: string;
}

/** The texts with which a project replaces the default ones. */
export interface DocsTexts {
  readonly title?: string | undefined;
  readonly intro?: string | undefined;
}

/** Returns the address of a table's Markdown page. */
export function toTablePageUrl({ docsUrl }: DocsAddresses, name: string): string {
  return `${docsUrl}/tables/${encodeURIComponent(name)}.md`;
}

/** Writes `llms.txt`: what the API is, and where an agent finds each table's page. */
export function writeLlmsText(
  reference: ApiReference,
  addresses: DocsAddresses,
  texts: DocsTexts = {},
): string {
  return [
    `# ${escapeText(texts.title ?? reference.title)}`,
    '',
    `> REST API of a database, generated from its schema (version ${reference.version}). Base URL: ` +
      `${reference.baseUrl}. Send an API key in the header \`Authorization: Bearer\`.`,
    '',
    ...(texts.intro === undefined ? [] : [escapeText(texts.intro), '']),
    '## Docs',
    '',
    `- [Overview](${addresses.docsUrl}/index.md): authentication, conventions and all endpoints`,
    `- [OpenAPI 3.1](${addresses.openApiUrl}): the same API as JSON`,
    '',
    '## Tables and endpoints',
    '',
    ...reference.groups.map(
      ({ name, operations, fields }) =>
        `- [${escapeText(name)}](${toTablePageUrl(addresses, name)}): ` +
        `${operations.length} operations${fields.length === 0 ? '' : `, ${fields.length} fields`}`,
    ),
    '',
  ].join('\n');
}

/** Writes the first Markdown page: base URL, authentication, conventions and the list of operations. */
export function writeIndexPage(
  reference: ApiReference,
  addresses: DocsAddresses,
  texts: DocsTexts = {},
): string {
  const { title, baseUrl, version, description, license, groups } = reference;
  return [
    `# ${escapeText(texts.title ?? title)}`,
    '',
    ...(texts.intro === undefined ? [] : [escapeText(texts.intro), '']),
    `Schema version ${version}. Base URL: ${toCode(baseUrl)}`,
    '',
    ...(license === null ? [] : [`License: ${escapeText(license.name)} (${toCode(license.terms)})`, '']),
    '## Authentication',
    '',
    'Send an API key in the header `Authorization: Bearer` or `X-API-Key`.',
    '',
    ...toFence('bash', makeCallSample('curl', { method: 'GET', address: `${baseUrl}/` }, null)),
    '## Conventions',
    '',
    description,
    '',
    '## Endpoints',
    '',
    ...groups.flatMap((group) => [
      `### [${escapeText(group.name)}](${toTablePageUrl(addresses, group.name)})`,
      '',
      ...group.operations.map(
        ({ method, path, summary }) => `- ${toCode(`${method} ${path}`)}: ${toLine(summary)}`,
      ),
      '',
    ]),
  ].join('\n');
}

/** Writes the Markdown page of one table: its fields and operations, each with a request to copy. */
export function writeTablePage(reference: ApiReference, group: ReferenceGroup): string {
  return [
    `# ${escapeText(group.name)}`,
    '',
    ...(group.description === '' ? [] : [toLine(group.description), '']),
    ...(group.isTable && group.fields.length > 0 ? writeFields(group.fields) : []),
    ...group.operations.flatMap((operation) => writeOperation(reference, operation)),
  ].join('\n');
}

function writeFields(fields: readonly ReferenceField[]): string[] {
  return [
    '## Fields',
    '',
    ...toTable(
      ['Field', 'Type', 'Rules', 'Description'],
      fields.map((field) => [
        toCode(field.name),
        toCode(field.type),
        describeRules(field),
        toLine(field.description),
      ]),
    ),
  ];
}

function writeOperation(reference: ApiReference, operation: ReferenceOperation): string[] {
  const { method, path, summary, description, responses, sample } = operation;
  const filters = Object.entries(operation.filters);
  return [
    `## ${escapeText(toLine(summary))}`,
    '',
    toCode(`${method} ${path}`),
    '',
    ...(description === '' ? [] : [toLine(description), '']),
    ...writeParameters(listParameters(reference, operation)),
    ...(filters.length === 0
      ? []
      : [
          'Filters, which are query parameters:',
          '',
          ...filters.map(
            ([field, suffixes]) => `- ${suffixes.map((end) => toCode(toFilterName(field, end))).join(', ')}`,
          ),
          '',
        ]),
    ...toFence(
      'bash',
      makeCallSample(
        'curl',
        { method, address: `${reference.baseUrl}${sample.path}`, body: sample.body },
        null,
      ),
    ),
    ...responses.map(({ status, description: text }) => `- ${status}: ${toLine(text)}`),
    '',
  ];
}

function writeParameters(parameters: readonly ReferenceParameter[]): string[] {
  if (parameters.length === 0) return [];
  return toTable(
    ['Parameter', 'In', 'Type', 'Description'],
    parameters.map((parameter) => [
      `${toCode(parameter.name)}${parameter.isRequired ? ' (required)' : ''}`,
      parameter.in,
      toCode(parameter.type),
      toLine(parameter.description),
    ]),
  );
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const toRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow), ''];
}

/**
 * Writes a text as inline code. The fence is longer than any run of backquotes in the text, so that names
 * cannot end it.
 */
function toCode(text: string): string {
  const line = toLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || line === '' ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

function toFence(language: string, code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, code, fence, ''];
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Escapes a text that users chose, so that it contains no markup. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
