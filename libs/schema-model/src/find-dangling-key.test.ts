import { describe, expect, it } from 'vitest';
import { findDanglingKey } from './find-dangling-key.js';

describe('findDanglingKey', () => {
  const find = (referencedTable: string, columns: readonly string[]) =>
    findDanglingKey([
      { name: 'a', columns: [{ name: 'id' }], foreignKeys: [] },
      { name: 'b', columns: [], foreignKeys: [{ name: 'f', referencedTable, referencedColumns: columns }] },
    ]);

  it('findDanglingKey returns a foreign key whose table or column does not exist, or else null', () => {
    expect(find('a', ['id'])).toBeNull();
    expect(find('b', ['id'])).toMatchObject({ table: 'b', key: { name: 'f' } });
    expect(find('missing', ['id'])).toMatchObject({ key: { referencedTable: 'missing' } });
    expect(find('constructor', ['name'])).not.toBeNull();
  });
});
