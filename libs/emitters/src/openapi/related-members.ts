import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import { refTo, type JsonObject } from './openapi-types.js';

/** Members of a create that hold records of relationships. */
export function emitRelatedMembers(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships.filter(isWritable).map((one) => [one.name, refTo('schemas', one.kind === 'to_one' ? 'RelatedRecord' : 'RelatedRecords')]);
}

/** Members of a change of one record that say what is done with records of relationships. */
export function emitRelatedChanges(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships.filter(isWritable).map((one) => [one.name, refTo('schemas', 'RelatedChanges')]);
}

/** What a request must be able to write before a record of the relationship can be new. */
function isWritable({ far, link }: CompiledRelationship): boolean {
  const written = link === null ? [far] : [far, link.table];
  return written.every((table) => table.kind === 'table' && table.verbs.includes('write'));
}

/** One for all tables: spelled out, the columns of related records would make up most of a document. */
export function emitRelatedSchemas(): Record<string, JsonObject> {
  return {
    RelatedRecord: {
      type: 'object',
      description:
        'Written along, in the same transaction: a new record of the related table, as its own create takes it but without the columns that ' +
        'the relationship sets; or the key alone of a record that is there ({"id": 7}), which is linked.',
      additionalProperties: true,
    },
    RelatedChanges: {
      type: 'object',
      description:
        'With one record only: what is done with records of the relationship, in the same transaction. Over a relationship to many each member takes ' +
        'one or an array; over one to a single record one member is sent, and disconnect and delete are true.',
      properties: {
        create: { description: 'New records, as RelatedRecord has them.' },
        connect: { description: 'Keys of records that are there: {"id": 7}.' },
        update: { description: 'Columns to change; over a relationship to many with the key of the record.' },
        disconnect: { description: 'Keys of records that stay and belong to this one no more, or true.' },
        delete: { description: 'Keys of records that are deleted, or true.' },
      },
      minProperties: 1,
      additionalProperties: false,
    },
    RelatedRecords: { type: 'array', description: 'Records that are written along.', items: refTo('schemas', 'RelatedRecord') },
  };
}
