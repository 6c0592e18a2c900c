import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readTables } from '../../../data/schema/read-tables.js';
import { GridLine } from './grid-line.js';
import { listShownColumns } from '../use-persisted-columns.js';

const columns =
  readTables([
    {
      name: 'posts',
      primary_key: ['id'],
      columns: [
        { name: 'id', type: 'int', value_kind: 'integer' },
        { name: 'title', type: 'varchar(50)', value_kind: 'string' },
        { name: 'note', type: 'varchar(50)', value_kind: 'string', nullable: true },
        { name: 'user_id', type: 'int', value_kind: 'integer', references: { table: 'users', column: 'id' } },
      ],
    },
  ])[0]?.columns ?? [];
const row = {
  id: '7',
  path: '7',
  values: { id: '7', title: 'Hello', note: null, user_id: '3' },
  etag: null,
  isNew: false,
};
const visible = listShownColumns(columns, [100, 100, 100, 100], [0, 100, 200, 300, 400], { from: 1, to: 4 });
const draw = (change: object = {}) =>
  renderToString(
    <GridLine
      row={row}
      index={4}
      visible={visible}
      activeColumn={-1}
      blockFrom={-1}
      blockTo={-1}
      edit={null}
      isSelected={false}
      change={undefined}
      fault={undefined}
      readCell={(of, column) => of.values[column.name]}
      {...change}
    />,
  );

it('a grid row renders the visible columns with the indexes that assistive technology needs', () => {
  const html = draw();
  expect(html).toContain('role="row" aria-rowindex="6" aria-selected="false"');
  expect([...html.matchAll(/role="gridcell" aria-colindex="(\d+)"/g)].map(([, at]) => at)).toEqual([
    '3',
    '4',
    '5',
  ]);
  expect(html).toContain('margin-left:100px;width:300px');
});

it('a grid cell with a plain value is rendered as one element', () => {
  expect(draw()).toMatch(/<div role="gridcell" aria-colindex="3"[^>]*>Hello<\/div>/);
  expect(draw()).toMatch(/<div role="gridcell" aria-colindex="4"[^>]*>NULL<\/div>/);
  expect(draw()).toContain('title="Go to users.id"');
});

it('a grid row marks changed, invalid and active cells', () => {
  const html = draw({
    activeColumn: 2,
    isSelected: true,
    change: { kind: 'update', id: '7', path: '7', before: {}, etag: null, values: { title: 'Hi' } },
    fault: { columns: { note: 'too long' } },
  });
  expect(html).toMatch(/<div role="gridcell" aria-colindex="3"[^>]* data-changed="true"/);
  expect(html).toMatch(
    /<div id="cell-4-2" role="gridcell" aria-colindex="4" aria-invalid="true" title="too long"[^>]* data-active="true"/,
  );
  expect(html).toContain('aria-selected="true"');
});

it('a grid row marks the cells of a selected block', () => {
  const html = draw({ blockFrom: 1, blockTo: 3 });
  expect(
    [...html.matchAll(/role="gridcell" aria-colindex="(\d)"([^>]*)>/g)].map(([, at, rest]) => [
      at,
      rest?.includes('aria-selected="true"'),
    ]),
  ).toEqual([
    ['3', true],
    ['4', true],
    ['5', false],
  ]);
});
