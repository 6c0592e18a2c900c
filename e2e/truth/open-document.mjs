// @ts-check
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** @typedef {Record<string, any>} Node */

/**
 * @typedef {object} Operation
 * @property {string} path as in the document
 * @property {string} method in upper case
 * @property {Node[]} parameters with those of the path, references resolved
 * @property {Node | null} body the schema of the JSON body
 * @property {Node} responses by status, references resolved
 * @property {string} tag
 * @property {string} text the summary and description, and those of the parameters
 */

const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?$/;

/**
 * Prepares a document to create requests from and to check responses against.
 * @param {Node} document
 */
export function openDocument(document) {
  // Only own properties count, because a column may be called toString.
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
  addFormats.default(ajv);
  ajv.addFormat('date-time-local', LOCAL_TIME);
  ajv.addSchema({ $id: 'https://example.test/api', ...document });

  /** @param {Node} node @returns {Node} */
  const resolve = (node) => {
    const pointer = node['$ref'];
    if (typeof pointer !== 'string') return node;
    return resolve(
      pointer
        .slice(2)
        .split('/')
        .reduce((found, part) => found[part.replaceAll('~1', '/').replaceAll('~0', '~')], document),
    );
  };

  /** @param {string} path @param {string} method @param {Node} operation @returns {Operation} */
  const toOperation = (path, method, operation) => {
    const parameters = [
      ...(document['paths'][path].parameters ?? []),
      ...(operation['parameters'] ?? []),
    ].map(resolve);
    const content =
      operation['requestBody'] === undefined ? undefined : resolve(operation['requestBody'])['content'];
    const responses = Object.fromEntries(
      Object.entries(operation['responses']).map(([status, response]) => [status, resolve(response)]),
    );
    const text = [
      operation['summary'],
      operation['description'],
      ...parameters.map((parameter) => parameter['description']),
    ].join('\n');
    return {
      path,
      method: method.toUpperCase(),
      parameters,
      body: content?.['application/json']?.schema ?? null,
      responses,
      tag: operation['tags'][0],
      text,
    };
  };

  const operations = Object.entries(document['paths']).flatMap(([path, item]) =>
    Object.entries(/** @type {Node} */ (item))
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => toOperation(path, method, operation)),
  );

  /** @type {Map<string, import('ajv').ValidateFunction>} */
  const checks = new Map();
  /**
   * Returns what is wrong with a value, or an empty string.
   * @param {Node} schema
   * @param {unknown} value
   */
  const findFault = (schema, value) => {
    const key = JSON.stringify(schema);
    // References must resolve in the whole document, wherever the schema is.
    const check =
      checks.get(key) ??
      ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"https://example.test/api#/')));
    checks.set(key, check);
    return check(value) ? '' : JSON.stringify(check.errors?.slice(0, 3));
  };

  return { document, operations, resolve, findFault };
}

/** @typedef {ReturnType<typeof openDocument>} OpenDocument */
