import type { QueryControl } from '@rowhouse/schema-model';
import { json, refTo, type JsonObject } from './openapi-types.js';

const text = { type: 'string' } as const;
const names = { anyOf: [text, { type: 'array', items: text }] } as const;
const tree = { type: 'object', additionalProperties: true } as const;

/** Emits the schema for the request body of `POST /_search/{table}`. */
export function emitSearchBody(): Record<string, JsonObject> {
  return {
    Search: {
      description: 'The parameters.',
      required: true,
      content: json(refTo('schemas', 'Search'), { limit: 5 }),
    },
  };
}

export function emitSearchSchema(): Record<string, JsonObject> {
  const properties: Record<Exclude<QueryControl, '_on_conflict'>, JsonObject> = {
    page: { type: 'integer', minimum: 1 },
    limit: { type: 'integer', minimum: 0, maximum: 1000 },
    sort: names,
    order: { ...text, enum: ['asc', 'desc'] },
    include: names,
    created_after: text,
    where: text,
    _select: names,
    _omit: names,
    _offset: { type: 'integer', minimum: 0 },
    _cursor: text,
    _count: { ...text, enum: ['exact', 'estimated'] },
    _filter: tree,
    _q: text,
    _distinct: names,
    _aggregate: names,
    _group: names,
    _having: tree,
    _explain: { type: 'boolean' },
  };
  return {
    Search: {
      type: 'object',
      description:
        'The parameters of a list. All other members are filters: {"title__like":"a%","id__in":[1,2]}.',
      properties,
      additionalProperties: true,
    },
  };
}
