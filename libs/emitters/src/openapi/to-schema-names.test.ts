import { compileSnapshot, nameSnapshot, type CompiledTable } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { toSchemaNames } from './to-schema-names.js';

describe('toSchemaNames', () => {
  it.each([
    ['posts', 'Post'],
    ['categories', 'Category'],
    ['movies', 'Movie'],
    ['statuses', 'Status'],
    ['addresses', 'Address'],
    ['houses', 'House'],
    ['news', 'News'],
    ['boxes', 'Box'],
    ['post_tags', 'PostTag'],
  ])('the OpenAPI schema of a row of %s is called %s', (name, item) => {
    const snapshot = nameSnapshot(
      { engine: 'mariadb', tables: [rawTable(name, [rawColumn('id', 'int(11)')])] },
      null,
    );
    const compiled = compileSnapshot(snapshot, 0, {
      tables: null,
      verbs: ['read', 'write', 'delete'],
      hiddenColumns: {},
    });
    const table = compiled.findByName(name) as CompiledTable;
    expect(toSchemaNames([table]).get(table)?.one).toBe(item);
  });
});
