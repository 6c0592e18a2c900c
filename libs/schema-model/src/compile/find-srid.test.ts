import { describe, expect, it } from 'vitest';
import { findSrid } from './compile-table.js';

describe('findSrid', () => {
  it('findSrid returns the SRID of a MySQL column and ignores its comment', () => {
    expect(
      findSrid({ valueKind: 'geometry', definition: 'point NOT NULL /*!80003 SRID 3857 */' }, 'mysql'),
    ).toBe(3857);
    expect(
      findSrid({ valueKind: 'geometry', definition: "point NOT NULL COMMENT 'it''s SRID 5 here'" }, 'mysql'),
    ).toBeNull();
    expect(findSrid({ valueKind: 'string', definition: 'text' }, 'mysql')).toBeNull();
    expect(findSrid({ valueKind: 'geometry', definition: 'point NOT NULL' }, 'mariadb')).toBe(0);
  });
});
