// @ts-check
import { describe, expect, it } from 'vitest';
import { listKeys, listReferences } from './list-keys.mjs';

const number = (/** @type {string} */ name) => ({ name, type: 'number', words: name });
/** @param {string} name @param {readonly string[]} columns @param {string[]} [key] */
const table = (name, columns, key = []) => ({ name, words: name, columns: columns.map(number), primary_key: key });
/** @param {string} from @param {string} to */
const refers = (from, to) => ({ from: /** @type {[string, string]} */ (from.split('.')), to: /** @type {[string, string]} */ (to.split('.')) });

describe('listKeys', () => {
  it('takes primary keys of one column, and no part of a longer one', () => {
    expect(listKeys({ tables: [table('a', ['x', 'y'], ['x']), table('b', ['x', 'y'], ['x', 'y'])], foreign_keys: [] })).toEqual(new Set(['a.x']));
  });

  it('takes the one column that others refer to, and none of several', () => {
    const tables = [table('Club', ['name', 'number']), table('room', ['house', 'floor', 'beds']), table('visit', ['club', 'house', 'floor'])];
    expect(listKeys({ tables, foreign_keys: [refers('visit.club', 'Club.number'), refers('visit.house', 'room.house'), refers('visit.floor', 'room.floor')] })).toEqual(new Set(['club.number']));
  });

  it('takes a first column that is called as its table where nothing is declared, unless it refers to another', () => {
    const tables = [table('Complaints', ['complaint_id', 'cost']), table('pupil', ['pupilId', 'age']), table('skills', ['worker_id', 'level']), table('driver', ['driver_id', 'age']), table('person', ['id'], ['id'])];
    expect(listKeys({ tables, foreign_keys: [refers('driver.driver_id', 'person.id')] })).toEqual(new Set(['complaints.complaint_id', 'pupil.pupilid', 'person.id']));
  });
});

describe('listReferences', () => {
  it('adds columns that are called as the key of one other table', () => {
    const tables = [table('region', ['region_code', 'size'], ['region_code']), table('shop', ['id', 'region_code'], ['id']), table('stall', ['id', 'region_code'], ['id'])];
    const declared = [refers('stall.region_code', 'region.region_code')];
    expect(listReferences({ tables, foreign_keys: declared })).toEqual([...declared, refers('shop.region_code', 'region.region_code')]);
  });

  it('leaves alone what two tables are told by, and a bare id', () => {
    const tables = [table('a', ['part_id'], ['part_id']), table('b', ['part_id'], ['part_id']), table('c', ['key', 'part_id', 'id'], ['key']), table('d', ['id'], ['id'])];
    expect(listReferences({ tables, foreign_keys: [] })).toEqual([]);
  });
});
