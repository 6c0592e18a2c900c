import { format } from 'mysql2';
import { expect, it } from 'vitest';
import { quoteInSlices, quoteLongTexts } from './quote-texts.js';

it('a long text is quoted so that the server reads it unchanged, and a short one by the driver', () => {
  const long = `a'b\\c"d\n\u0000\\'ä😀?`.repeat(2_000);
  const sql = format('SELECT ?, ?, ?', quoteLongTexts(['short', long, 7]) as string[]);
  const [, quoted = ''] = /^SELECT 'short', '(.*)', 7$/s.exec(sql) ?? [];
  expect(quoted.replaceAll(/\\(.)/gs, '$1')).toBe(long);
  // Without the backslash escapes, the content has no quote, so each quote inside it is escaped.
  expect(quoted.replaceAll(/\\./gs, '')).not.toContain("'");
});

it('a text of megabytes is quoted once, in slices, with the same result', async () => {
  const long = `a'b\\c"d\n\u0000\\'ä😀?`.repeat(30_000);
  const inSlices = await quoteInSlices(long);
  expect(format('SELECT ?', quoteLongTexts([inSlices]) as string[])).toBe(
    format('SELECT ?', quoteLongTexts([long]) as string[]),
  );
  expect(await quoteInSlices('short')).toBe('short');
});
