import { createConfig, lintFromString, type Config } from '@redocly/openapi-core';

/** On top of the strict set: what readers and generators of clients lean on. */
const RULES = {
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-params-defined': 'error',
  'path-http-verbs-order': { severity: 'error', order: ['get', 'post', 'put', 'patch', 'delete'] },
  'request-mime-type': { severity: 'error', allowedValues: ['application/json', 'application/x-ndjson', 'text/csv'] },
  'spec-strict-refs': 'error',
  'array-parameter-serialization': { severity: 'error', in: ['path', 'query', 'header'] },
  // What is described is somebody's own rows: the platform has no licence to name for them.
  'info-license': 'off',
  'info-license-strict': 'off',
} as const;

/** Names that every object has: the linter asks objects of the document for them, and falls over columns of that name. */
const INHERITED = /"(__proto__|constructor|toString|hasOwnProperty|valueOf|isPrototypeOf)"/g;

let config: Promise<Config> | undefined;

/**
 * What a strict linter finds in an OpenAPI document, warnings too, one line per finding.
 * The document is read as text, as any reader of it would.
 */
export async function lintOpenApi(document: object): Promise<string[]> {
  config ??= createConfig({ extends: ['recommended-strict'], rules: RULES });
  const source = JSON.stringify(document).replace(INHERITED, '"own_$1"');
  const problems = await lintFromString({ source, config: await config });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message} (${problem.location.map((at) => at.pointer ?? '').join(', ')})`);
}
