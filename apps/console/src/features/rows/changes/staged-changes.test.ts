import { describe, expect, it } from 'vitest';
import {
  findChange,
  keepMine,
  requeueUnsent,
  NOTHING_STAGED,
  stageDelete,
  stageInsert,
  stageUpdate,
  unstage,
  type StoredRow,
} from './staged-changes.js';

const row: StoredRow = {
  id: '7',
  path: '7',
  etag: '"1"',
  values: { id: '7', name: 'ada', note: null, price: '2.50' },
};

describe('staged changes', () => {
  it('only values that differ from the stored row are staged', () => {
    const once = stageUpdate(NOTHING_STAGED, row, { name: 'ida', price: 2.5, note: '' });
    expect(findChange(once, '7')).toMatchObject({
      kind: 'update',
      etag: '"1"',
      values: { name: 'ida', note: '' },
    });
    expect(stageUpdate(NOTHING_STAGED, row, { price: '2.50' }).changes).toEqual([]);
    const back = stageUpdate(stageUpdate(once, row, { name: 'ada' }), row, { note: null });
    expect(
      back.changes.flatMap((change) => Object.keys('values' in change ? change.values : {})),
    ).not.toContain('name');
  });

  it('staging a deletion replaces a staged update, and unstaging removes every change', () => {
    const deleted = stageDelete(stageUpdate(NOTHING_STAGED, row, { name: 'x' }), [row]);
    expect(deleted.changes).toMatchObject([{ kind: 'delete', path: '7' }]);
    expect(unstage(stageInsert(deleted, 'new-1', { name: 'y' }), ['7', 'new-1'])).toEqual(NOTHING_STAGED);
  });

  it('cell changes made during a save remain staged on top of the saved rows', () => {
    const sent = stageInsert(
      stageDelete(stageUpdate(NOTHING_STAGED, row, { name: 'ida' }), [{ ...row, id: '8', path: '8' }]),
      'new-1',
      { name: 'eve' },
    );
    const saved = [
      { id: '7', values: { ...row.values, name: 'ida' }, etag: '"2"' },
      { id: '8', values: null, etag: null },
      { id: 'new-1', values: { id: '9', name: 'eve', note: null }, etag: '"1"' },
    ];
    const toPath = (values: Readonly<Record<string, unknown>>): string => String(values['id']);
    const keep = (now: typeof sent): ReturnType<typeof requeueUnsent>['changes'] =>
      requeueUnsent(now, sent.changes, saved, toPath).changes;
    expect(keep(sent)).toEqual([]);
    // The four cases change another row, another value of a row in the save, a value of a new row, and a
    // value of a deleted row.
    const other = { ...row, id: '5', path: '5' };
    expect(keep(stageUpdate(sent, other, { name: 'x' }))).toMatchObject([{ id: '5', values: { name: 'x' } }]);
    expect(keep(stageUpdate(sent, row, { note: 'n' }))).toEqual([
      {
        kind: 'update',
        id: '7',
        path: '7',
        etag: '"2"',
        before: { ...row.values, name: 'ida' },
        values: { note: 'n' },
      },
    ]);
    expect(keep(stageInsert(sent, 'new-1', { name: 'eve', note: 'n' }))).toMatchObject([
      { kind: 'update', id: '9', path: '9', etag: '"1"', values: { note: 'n' } },
    ]);
    expect(keep(stageDelete(sent, [row]))).toMatchObject([{ kind: 'delete', id: '7', etag: '"2"' }]);
    expect(keep(stageUpdate(sent, { ...row, id: '8', path: '8' }, { name: 'z' }))).toMatchObject([
      { kind: 'update', id: '8', etag: '"1"', values: { name: 'z' } },
    ]);
  });

  it('a staged change can be kept when another user has changed the same row', () => {
    const mine = {
      ...stageUpdate(NOTHING_STAGED, row, { name: 'x' }),
      faults: { '7': { message: '', columns: {}, conflict: { current: { name: 'theirs' }, etag: '"2"' } } },
    };
    expect(keepMine(mine, '7')).toMatchObject({
      changes: [{ etag: '"2"', values: { name: 'x' } }],
      faults: {},
    });
    expect(
      keepMine(
        { ...mine, faults: { '7': { message: '', columns: {}, conflict: { current: null, etag: null } } } },
        '7',
      ).changes,
    ).toMatchObject([{ etag: '"1"' }]);
  });
});
