import { expect, it } from 'vitest';
import { settleExpression } from './introspect-column.js';

it('settleExpression writes negative numbers in one way and keeps quoted texts unchanged', () => {
  expect(settleExpression('CHECK ((`a` > -(5)) and (`b` < -(1.5)))')).toBe(
    'CHECK ((`a` > -5) and (`b` < -1.5))',
  );
  expect(settleExpression("`x-(1)` int COMMENT 'it''s -(5)' DEFAULT (-(7))")).toBe(
    "`x-(1)` int COMMENT 'it''s -(5)' DEFAULT (-7)",
  );
  expect(settleExpression('-(`a`)')).toBe('-(`a`)');
});
