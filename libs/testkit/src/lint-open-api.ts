import { createConfig, lintFromString, type Config } from '@redocly/openapi-core';

/** Rules in addition to the strict set. Readers of the document and client generators rely on them. */
const RULES = {
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-params-defined': 'error',
  'path-http-verbs-order': { severity: 'error', order: ['get', 'post', 'put', 'patch', 'delete'] },
  'request-mime-type': {
    severity: 'error',
    allowedValues: ['application/json', 'application/x-ndjson', 'text/csv'],
  },
  'spec-strict-refs': 'error',
  'array-parameter-serialization': { severity: 'error', in: ['path', 'query', 'header'] },
} as const;

let config: Promise<Config> | undefined;

/**
 * Returns the errors and warnings of a strict linter for an OpenAPI document, one for each line. The linter
 * receives the document as text, like other readers.
 */
export async function lintOpenApi(document: object): Promise<string[]> {
  config ??= createConfig({ extends: ['recommended-strict'], rules: RULES });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, config: await config });
  return problems.map(
    (problem) =>
      `${problem.ruleId}: ${problem.message} (${problem.location.map((at) => at.pointer ?? '').join(', ')})`,
  );
}
