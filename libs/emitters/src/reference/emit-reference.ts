import { API_PREFIX } from '@rowhouse/contracts';
import type { Snapshot, Steps } from '@rowhouse/schema-model';
import { emitOpenApiSteps } from '../openapi/emit-open-api.js';
import type { Json, JsonObject, OpenApiOptions } from '../openapi/openapi-types.js';
import { listClientNamesSteps } from '../typescript/emit-typescript.js';
import { describeType, isObject, resolveRef, toList, toObject, toText } from './describe-schema.js';
import { makeClientCall } from './make-client-call.js';
import type {
  ApiReference,
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceParameter,
} from './reference-types.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** The license of an OpenAPI document without a license setting begins like this. */
const NOT_STATED = 'LicenseRef-';
/** The methods and paths of operations that only read, although their method is POST. */
const READING_POSTS = /^\/(?:_search\/|query$|_batch$)/;

/**
 * Emits the API reference of a snapshot. It contains what the OpenAPI document with the same options
 * contains.
 */
export function* emitReferenceSteps(snapshot: Snapshot, options: OpenApiOptions): Steps<ApiReference> {
  const document = yield* emitOpenApiSteps(snapshot, options);
  const clientNames = yield* listClientNamesSteps(snapshot, options.rights);
  const info = toObject(document['info']);
  const license = toObject(info['license']);
  const terms = toText(license['identifier']) || toText(license['url']);
  const operationsByTag = yield* listOperations(document, clientNames);
  const groups: ReferenceGroup[] = [];
  for (const tag of toList(document['tags']).map(toObject)) {
    const name = toText(tag['name']);
    const found = operationsByTag.get(name) ?? [];
    groups.push({
      name,
      isTable: clientNames.has(name),
      description: toText(tag['description']),
      fields: listFields(document, found),
      operations: found.map(({ operation }) => operation),
    });
    if (groups.length % 20 === 0) yield;
  }
  return {
    title: toText(info['title']),
    version: toText(info['version']),
    baseUrl: `${toText(toObject(toList(document['servers'])[0])['url']).replace(/\/+$/, '')}${API_PREFIX}`,
    description: toText(info['description']),
    license: terms.startsWith(NOT_STATED) ? null : { name: toText(license['name']), terms },
    groups,
    parameters: listShared(document),
  };
}

/** An operation with its node in the document. */
interface FoundOperation {
  readonly operation: ReferenceOperation;
  readonly node: JsonObject;
}

function* listOperations(
  document: JsonObject,
  clientNames: ReadonlyMap<string, string>,
): Steps<ReadonlyMap<string, readonly FoundOperation[]>> {
  const byTag = new Map<string, FoundOperation[]>();
  let count = 0;
  for (const [path, item] of Object.entries(toObject(document['paths']))) {
    for (const method of METHODS) {
      const node = toObject(item)[method];
      if (!isObject(node)) continue;
      const tag = toText(toList(node['tags'])[0]);
      const found = byTag.get(tag) ?? [];
      byTag.set(tag, found);
      found.push({ node, operation: toOperation(document, { method, path, item, node, clientNames, tag }) });
    }
    count += 1;
    if (count % 20 === 0) yield;
  }
  return byTag;
}

interface OperationParts {
  readonly method: string;
  readonly path: string;
  readonly item: Json;
  readonly node: JsonObject;
  readonly clientNames: ReadonlyMap<string, string>;
  readonly tag: string;
}

function toOperation(document: JsonObject, parts: OperationParts): ReferenceOperation {
  const { node, tag } = parts;
  const method = parts.method.toUpperCase();
  const path = parts.path.slice(API_PREFIX.length) || '/';
  const entries = [...toList(toObject(parts.item)['parameters']), ...toList(node['parameters'])];
  const shared = entries.flatMap((entry) => {
    const ref = toObject(entry)['$ref'];
    return typeof ref === 'string' ? [ref.slice(ref.lastIndexOf('/') + 1)] : [];
  });
  const own = entries.filter((entry) => toObject(entry)['$ref'] === undefined).map(toParameter);
  const body = resolveRef(document, node['requestBody']);
  const content = toObject(toObject(body['content'])['application/json']);
  const hasBody = Object.keys(body).length > 0;
  const call = {
    id: toText(node['operationId']),
    method,
    path: toSamplePath(path, method, entries, parts.clientNames.has(tag)),
    body: hasBody ? content['example'] : undefined,
  };
  return {
    id: call.id,
    method,
    path,
    summary: toText(node['summary']),
    description: toText(node['description']),
    parameters: own.filter((parameter) => parameter.in !== 'query'),
    shared,
    filters: groupFilters(own),
    hasBody,
    responses: Object.entries(toObject(node['responses'])).map(([status, response]) => ({
      status,
      description: toText(resolveRef(document, response)['description']),
    })),
    sample: {
      path: call.path,
      body: call.body,
      client: makeClientCall(call, parts.clientNames.get(tag) ?? null),
      writes: method !== 'GET' && !READING_POSTS.test(path),
    },
  };
}

function toParameter(entry: Json): ReferenceParameter {
  const node = toObject(entry);
  return {
    name: toText(node['name']),
    in: node['in'] === 'header' || node['in'] === 'path' ? node['in'] : 'query',
    type: describeType(node['schema']),
    isRequired: node['required'] === true,
    description: toText(node['description']),
  };
}

/** Groups filters by field: `{"title": ["", "like"]}` means the parameters `title` and `title__like`. */
function groupFilters(parameters: readonly ReferenceParameter[]): Record<string, string[]> {
  const filters = new Map<string, string[]>();
  for (const { name, in: position } of parameters) {
    if (position !== 'query') continue;
    const at = name.lastIndexOf('__');
    const field = at > 0 && filters.has(name.slice(0, at)) ? name.slice(0, at) : name;
    const suffixes = filters.get(field) ?? [];
    suffixes.push(field === name ? '' : name.slice(at + 2));
    filters.set(field, suffixes);
  }
  return Object.fromEntries(filters);
}

/** Replaces the key in a path by a sample, and limits lists to five records. */
function toSamplePath(path: string, method: string, entries: readonly Json[], isTable: boolean): string {
  const key = entries.map(toObject).find((entry) => entry['in'] === 'path');
  const encoded = path.replaceAll(/[^\x21-\x7e]/gu, (found) => encodeURIComponent(found));
  if (key !== undefined)
    return encoded.replace(/\{[^{}]*\}$/, () => encodeURIComponent(sampleKey(key)).replaceAll('%2C', ','));
  const isList = method === 'GET' && isTable;
  return isList ? `${encoded}?limit=5` : encoded;
}

function sampleKey(parameter: JsonObject): string {
  const schema = toObject(parameter['schema']);
  const [label] = toList(schema['enum']);
  const example = parameter['example'] ?? schema['example'] ?? toList(schema['examples'])[0] ?? label;
  if (typeof example === 'string') return example;
  if (typeof example === 'number' || typeof example === 'boolean') return String(example);
  return schema['format'] === 'uuid' ? '018f3a10-0000-7000-8000-000000000001' : '1';
}

function listShared(document: JsonObject): Record<string, ReferenceParameter> {
  const shared = toObject(toObject(document['components'])['parameters']);
  return Object.fromEntries(Object.entries(shared).map(([key, node]) => [key, toParameter(node)]));
}

/** Lists the fields of a table's records, from the schemas of its requests and responses. */
function listFields(document: JsonObject, found: readonly FoundOperation[]): ReferenceField[] {
  const read = findProperties(document, found, (node) => toObject(node['responses'])['200']);
  const create = findProperties(document, found, (node) => node['requestBody'], 'POST');
  const names = new Set([...Object.keys(read.properties), ...Object.keys(create.properties)]);
  return [...names].map((name) => {
    const schema = read.properties[name] ?? create.properties[name];
    return {
      name,
      type: describeType(schema),
      description: toText(toObject(schema)['description']),
      isRequired: create.required.has(name),
      inRequest: create.properties[name] !== undefined,
      inResponse: read.properties[name] !== undefined,
    };
  });
}

interface Properties {
  readonly properties: JsonObject;
  readonly required: ReadonlySet<Json>;
}

/** Returns the properties of the first body that contains a record or a list of records. */
function findProperties(
  document: JsonObject,
  found: readonly FoundOperation[],
  bodyOf: (node: JsonObject) => Json | undefined,
  method?: string,
): Properties {
  for (const { operation, node } of found) {
    if ((method !== undefined && operation.method !== method) || operation.path.startsWith('/_search/'))
      continue;
    const content = toObject(toObject(resolveRef(document, bodyOf(node))['content'])['application/json']);
    const schema = toRecordSchema(document, content['schema']);
    if (schema['properties'] !== undefined)
      return { properties: toObject(schema['properties']), required: new Set(toList(schema['required'])) };
  }
  return { properties: {}, required: new Set() };
}

/** Returns the schema of one record: the schema itself, its first alternative, or that of its items. */
function toRecordSchema(document: JsonObject, node: Json | undefined): JsonObject {
  const schema = resolveRef(document, node);
  const [first] = [...toList(schema['oneOf']), ...toList(schema['anyOf'])];
  if (first !== undefined) return toRecordSchema(document, first);
  return schema['items'] === undefined ? schema : toRecordSchema(document, schema['items']);
}
