import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import { refTo, type JsonObject } from './openapi-types.js';

/** Returns the members with which a create can also create related records. */
export function emitRelatedMembers(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships
    .filter(isWritable)
    .map((compiledRelationship) => [
      compiledRelationship.name,
      refTo('schemas', compiledRelationship.kind === 'to_one' ? 'RelatedRecord' : 'RelatedRecords'),
    ]);
}

/** Returns the members with which an update can also change related records. */
export function emitRelatedChanges(table: CompiledTable): readonly (readonly [string, JsonObject])[] {
  return table.relationships
    .filter(isWritable)
    .map((compiledRelationship) => [compiledRelationship.name, refTo('schemas', 'RelatedChanges')]);
}

/** Reports whether the rights allow writes to all tables that a new related record needs. */
function isWritable({ target, link }: CompiledRelationship): boolean {
  const written = link === null ? [target] : [target, link.table];
  return written.every((table) => table.kind === 'table' && table.verbs.includes('write'));
}

/** Returns a member's schema for an object or an array of objects. */
function someOf(description: string, ...others: readonly JsonObject[]): JsonObject {
  const record = { type: 'object', additionalProperties: true };
  return { description, anyOf: [record, { type: 'array', items: record, minItems: 1 }, ...others] };
}

/**
 * Emits the schemas for related records. All tables share them, because their columns would otherwise make up
 * most of the document.
 */
export function emitRelatedSchemas(): Record<string, JsonObject> {
  return {
    RelatedRecord: {
      type: 'object',
      description:
        'A related record, written in the same transaction. Send a new record of the related table ' +
        'without the columns that the relationship sets. To link an existing record, send only its ' +
        'key: {"id": 7}.',
      additionalProperties: true,
    },
    RelatedChanges: {
      type: 'object',
      description:
        'Changes to related records in the same transaction. Available when you update a single ' +
        'record. For a to-many relationship, each member takes one object or an array. For a to-one ' +
        'relationship, send one member; disconnect and delete take true.',
      properties: {
        create: someOf('New records, in the format of RelatedRecord.'),
        connect: someOf('Keys of existing records to link: {"id": 7}.'),
        update: someOf('Columns to change. For a to-many relationship, include the key of the record.'),
        disconnect: someOf('Keys of records to unlink without deleting them, or true.', {
          const: true,
        }),
        delete: someOf('Keys of records to delete, or true.', { const: true }),
      },
      minProperties: 1,
      additionalProperties: false,
    },
    RelatedRecords: {
      type: 'array',
      description: 'Related records, written in the same transaction.',
      items: refTo('schemas', 'RelatedRecord'),
    },
  };
}
