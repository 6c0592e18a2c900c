import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../../test/shop-lexicon.js';
import { answerQuestion } from '../../answer-question.js';

it('"at most two" gives two statements, with and without rows that have no child rows', () => {
  const outcome = answerQuestion(
    { question: 'emails of customers with at most 2 orders', today: '2026-11-21' },
    SHOP_LEXICON,
  );
  const sqls = outcome.kind === 'ambiguous' ? outcome.choices.map(({ sql }) => sql) : [];
  expect(sqls.some((sql) => sql.includes(') <= 2)'))).toBe(true);
  expect(sqls.some((sql) => sql.includes(') BETWEEN 1 AND 2)'))).toBe(true);
});

it('"fewer than 3" for groups gives no statement with a range of row counts', () => {
  expect(readShop('countries with fewer than 3 customers').some(({ sql }) => sql.includes('BETWEEN'))).toBe(
    false,
  );
});

it('a condition after "but" restricts the requested rows', () => {
  expect(readShop('emails of customers with at least 3 orders but without reviews')[0]?.sql).toMatch(
    />= 3\) AND NOT EXISTS \(SELECT 1 FROM `reviews` AS t3 WHERE t3\.`customer_id` = t1\.`id`\)$/,
  );
});

it('a negated "or" excludes both values', () => {
  const [best] = readShop('emails of customers not in Berlin or Paris');
  expect(best?.sql).not.toContain(' OR ');
  expect(best?.sql.match(/NOT \(/g)).toHaveLength(2);
});
