import { expect, it } from 'vitest';
import { shapeChart, suggestChart } from './chart-shape.js';

const answer = {
  columns: [
    { name: 'name', type: 'string' },
    { name: 'n', type: 'integer' },
  ],
  data: [
    ['ada', 3],
    ['grace', -1],
    [null, '2'],
  ],
};

it('a chart shows numbers on the y axis and names on the x axis', () => {
  expect(suggestChart(answer)).toEqual({ x: 0, y: 1 });
  expect(shapeChart(answer, 0, 1)).toEqual({
    kind: 'bars',
    min: -1,
    max: 3,
    points: [
      { label: 'ada', value: 3 },
      { label: 'grace', value: -1 },
      { label: 'NULL', value: 2 },
    ],
  });
});

it('a result with one row, one column or no numbers has no chart', () => {
  expect(suggestChart({ ...answer, data: [['ada', 3]] })).toBeNull();
  expect(
    suggestChart({
      ...answer,
      data: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    }),
  ).toBeNull();
  expect(suggestChart({ columns: [{ name: 'n', type: 'integer' }], data: [[1], [2]] })).toBeNull();
});

it('a chart draws times as a line', () => {
  expect(
    shapeChart(
      {
        columns: [
          { name: 'm', type: 'string' },
          { name: 'n', type: 'integer' },
        ],
        data: [
          ['2026-01', 1],
          ['2026-02', 2],
        ],
      },
      0,
      1,
    ).kind,
  ).toBe('line');
});
