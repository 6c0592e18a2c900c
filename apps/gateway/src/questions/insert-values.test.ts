import { expect, it } from 'vitest';
import { insertValues } from './insert-values.js';

it('insertValues replaces placeholders, but no question mark inside a quoted name or text', () => {
  const sql = "SELECT COUNT(*) AS `why?` FROM `really?``?` WHERE `a?` = ? AND `b` <> 'so?' AND `c` > ?";
  expect(insertValues({ sql, params: ["it's?", 3] })).toBe(
    "SELECT COUNT(*) AS `why?` FROM `really?``?` WHERE `a?` = 'it''s?' AND `b` <> 'so?' AND `c` > 3",
  );
});
