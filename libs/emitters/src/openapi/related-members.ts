import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import { refTo, type JsonObject } from './openapi-types.js';

/** Returns the members for related rows in a create. */
export function emitRelatedMembers(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships
    .filter(isWritable)
    .map((compiledRelationship) => [
      compiledRelationship.name,
      refTo('schemas', compiledRelationship.kind === 'to_one' ? 'RelatedRecord' : 'RelatedRecords'),
    ]);
}

/** Returns the members for related rows in an update. */
export function emitRelatedChanges(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships
    .filter(isWritable)
    .map((compiledRelationship) => [compiledRelationship.name, refTo('schemas', 'RelatedChanges')]);
}

/** Returns whether the rights allow writes to all tables that a new related row needs. */
function isWritable({ target, link }: CompiledRelationship): boolean {
  const written = link === null ? [target] : [target, link.table];
  return written.every((table) => table.kind === 'table' && table.verbs.includes('write'));
}

/** Returns a member's schema for one object or an array of them. */
function someOf(description: string, ...others: readonly JsonObject[]): JsonObject {
  const record = { type: 'object', additionalProperties: true };
  return { description, anyOf: [record, { type: 'array', items: record, minItems: 1 }, ...others] };
}

/**
 * Emits schemas that all tables share, since the columns of
 * related rows would otherwise make up most of the document.
 */
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
        create: someOf('New records, as RelatedRecord has them.'),
        connect: someOf('Keys of records that are there: {"id": 7}.'),
        update: someOf('Columns to change; over a relationship to many with the key of the record.'),
        disconnect: someOf('Keys of records that stay and belong to this one no more, or true.', {
          const: true,
        }),
        delete: someOf('Keys of records that are deleted, or true.', { const: true }),
      },
      minProperties: 1,
      additionalProperties: false,
    },
    RelatedRecords: {
      type: 'array',
      description: 'Records that are written along.',
      items: refTo('schemas', 'RelatedRecord'),
    },
  };
}
