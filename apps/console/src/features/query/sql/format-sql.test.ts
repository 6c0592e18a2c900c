import { describe, expect, it } from 'vitest';
import { formatSql, readSqlTokens } from './format-sql.js';

const STATEMENTS = [
  'select * from posts',
  "select p.id,count(*) as n from posts p left join comments c on c.post_id=p.id where p.title like '%a%' and p.created_at between '2026-01-01' and '2026-02-01' group by p.id having n>2 order by n desc limit 10",
  'select left(title, 3), t.`from` from posts t where id in (select post_id from comments where user_id=-1)',
  'with recent as (select id from posts order by id desc limit 5) select r.id from recent r',
  "insert into tags (name) values ('a'),('b')",
  'update posts set title=upper(title), content=concat(title, content) where id=1',
  'delete from posts where id=1 and published=0',
  'select case when a=1 and b=2 then 3 else 4 end from t -- last\nwhere a->>"$.x" = 1',
  'select 1; select 2;',
  'select extract(year from created_at), sum(n) over (partition by a order by b) from t for update',
  'explain analyze select 1',
  'select (a -- first\n) from t -- last\n; select 2',
];
const piecesOf = (text: string) => readSqlTokens(text).map((token) => token.text.toUpperCase());

describe('formatSql', () => {
  it.each(STATEMENTS)('formatting changes only whitespace and case: %s', (sql) => {
    expect(piecesOf(formatSql(sql))).toEqual(piecesOf(sql));
  });

  it.each(STATEMENTS)('formatted SQL stays unchanged: %s', (sql) => {
    expect(formatSql(formatSql(sql))).toBe(formatSql(sql));
  });

  it('formatSql writes each clause on a line and wraps long clauses', () => {
    expect(formatSql(STATEMENTS[1] ?? '')).toBe(`SELECT p.id, count(*) AS n
FROM posts p
LEFT JOIN comments c ON c.post_id = p.id
WHERE p.title LIKE '%a%'
  AND p.created_at BETWEEN '2026-01-01' AND '2026-02-01'
GROUP BY p.id
HAVING n > 2
ORDER BY n DESC
LIMIT 10`);
  });

  it('formatSql formats a nested query like a query', () => {
    expect(formatSql(STATEMENTS[2] ?? '')).toBe(`SELECT LEFT(title, 3), t.\`from\`
FROM posts t
WHERE id IN (
  SELECT post_id
  FROM comments
  WHERE user_id = -1
)`);
  });

  it('formatSql writes the items of a long list on separate lines', () => {
    const names = Array.from({ length: 9 }, (_, index) => `a_long_name_of_${index}`);
    expect(formatSql(`select distinct ${names.join(',')} from t`)).toBe(
      `SELECT DISTINCT\n  ${names.join(',\n  ')}\nFROM t`,
    );
  });

  it.each(["select 'never closed", 'select (1', 'select 1)', ''])(
    'formatSql returns the incomplete text %j unchanged',
    (sql) => {
      expect(piecesOf(formatSql(sql))).toEqual(piecesOf(sql));
      if (/[()]/.test(sql)) expect(formatSql(sql)).toBe(sql);
    },
  );
});
