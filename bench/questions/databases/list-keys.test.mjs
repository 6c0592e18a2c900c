// @ts-check
import { describe, expect, it } from 'vitest';
import { listKeys, listReferences } from './list-keys.mjs';

const number = (/** @type {string} */ name) => ({ name, type: 'number', words: name });
/** @param {string} name @param {readonly string[]} columns @param {string[]} [key] */
const table = (name, columns, key = []) => ({
  name,
  words: name,
  columns: columns.map(number),
  primary_key: key,
});
/** @param {string} from @param {string} to */
const refers = (from, to) => ({
  from: /** @type {[string, string]} */ (from.split('.')),
  to: /** @type {[string, string]} */ (to.split('.')),
});

describe('listKeys', () => {
  it('listKeys returns a primary key of one column, but no part of a composite key', () => {
    expect(
      listKeys({
        tables: [table('a', ['x', 'y'], ['x']), table('b', ['x', 'y'], ['x', 'y'])],
        foreign_keys: [],
      }),
    ).toEqual(new Set(['a.x']));
  });

  it("listKeys returns a table's only referenced column, but none of several", () => {
    const tables = [
      table('Club', ['name', 'number']),
      table('room', ['house', 'floor', 'beds']),
      table('visit', ['club', 'house', 'floor']),
    ];
    expect(
      listKeys({
        tables,
        foreign_keys: [
          refers('visit.club', 'Club.number'),
          refers('visit.house', 'room.house'),
          refers('visit.floor', 'room.floor'),
        ],
      }),
    ).toEqual(new Set(['club.number']));
  });

  it('listKeys returns a first column that is named like its table if no key is declared', () => {
    const tables = [
      table('Complaints', ['complaint_id', 'cost']),
      table('pupil', ['pupilId', 'age']),
      table('skills', ['worker_id', 'level']),
      table('driver', ['driver_id', 'age']),
      table('person', ['id'], ['id']),
    ];
    expect(listKeys({ tables, foreign_keys: [refers('driver.driver_id', 'person.id')] })).toEqual(
      new Set(['complaints.complaint_id', 'pupil.pupilid', 'person.id']),
    );
  });
});

describe('listReferences', () => {
  it('listReferences returns a column whose name equals the key of one other table', () => {
    const tables = [
      table('region', ['region_code', 'size'], ['region_code']),
      table('shop', ['id', 'region_code'], ['id']),
      table('stall', ['id', 'region_code'], ['id']),
    ];
    const declared = [refers('stall.region_code', 'region.region_code')];
    expect(listReferences({ tables, foreign_keys: declared })).toEqual([
      ...declared,
      refers('shop.region_code', 'region.region_code'),
    ]);
  });

  it('listReferences ignores a column `id`, and a column whose name is the key of two tables', () => {
    const tables = [
      table('a', ['part_id'], ['part_id']),
      table('b', ['part_id'], ['part_id']),
      table('c', ['key', 'part_id', 'id'], ['key']),
      table('d', ['id'], ['id']),
    ];
    expect(listReferences({ tables, foreign_keys: [] })).toEqual([]);
  });
});
