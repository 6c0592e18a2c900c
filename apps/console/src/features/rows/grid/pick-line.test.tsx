import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PickLine } from './grid-line.js';

const draw = (change: object = {}) =>
  renderToString(
    <PickLine
      index={4}
      isSelected={false}
      change={undefined}
      hasFault={false}
      canOpen={false}
      onPick={() => undefined}
      {...change}
    />,
  );

it('the checkbox of a grid row is in its first column', () => {
  expect(draw()).toMatch(
    /role="row" aria-rowindex="6" aria-selected="false".*role="gridcell" aria-colindex="1".*aria-label="Select row 5"/,
  );
});

it('the checkbox of a grid row shows whether the row is selected', () => {
  const html = draw({ isSelected: true, change: 'delete', hasFault: true });
  expect(html).toContain('aria-selected="true" data-selected="true" data-change="delete" data-fault="true"');
  expect(html).toContain('checked=""');
});

it('a grid row has an open button only if it can be opened', () => {
  expect(draw()).not.toContain('Open row');
  expect(draw({ canOpen: true })).toContain('aria-label="Open row 5"');
});
