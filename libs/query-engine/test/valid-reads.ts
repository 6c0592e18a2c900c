/**
 * A text that reads data and that the guard accepts. If only one engine supports its syntax, `engine` names
 * that engine.
 */
export interface ValidRead {
  readonly sql: string;
  readonly engine?: 'mariadb' | 'mysql';
  readonly params?:
    | readonly (string | number | boolean | null)[]
    | Readonly<Record<string, string | number | boolean | null>>;
}

const plain: readonly string[] = [
  'SELECT 1',
  'select 1;',
  'SELECT 1 ; ',
  '  \n\tSELECT id FROM users',
  'SELECT * FROM users',
  'SELECT u.* FROM users u',
  'SELECT users.* FROM users',
  'SELECT {schema}.users.id FROM {schema}.users',
  'SELECT `u`.`id` FROM `users` AS `u`',
  'SELECT id AS `select`, username AS "from" FROM users',
  "SELECT id, username 'name' FROM users",
  'SELECT DISTINCT user_id FROM posts',
  'SELECT ALL id FROM posts',
  'SELECT SQL_NO_CACHE id FROM posts',
  'SELECT STRAIGHT_JOIN p.id FROM posts p JOIN users u ON u.id = p.user_id',
  'SELECT -1, +2, - - 3, 1--1, !0, ~5',
  'SELECT 1 + 2 * 3 / 4 % 5 DIV 2 MOD 3',
  'SELECT 1 << 2 | 3 & 4 ^ 5 >> 1',
  "SELECT x'4D', 0x4D, b'101', 0b101, 1e5, 1.5e-3, .5, 5., 1E+2",
  "SELECT N'abc', _utf8mb4'abc', 'a' 'b', \"it's\", 'it''s', 'a\\'b'",
  "SELECT 'a; DROP TABLE users', '-- no comment', '/* none */', '@x', ':= ?'",
  "SELECT '/*! UNION SELECT */', `id` FROM users",
  'SELECT 1 -- a comment\n, 2',
  'SELECT 1 # a comment\n, 2',
  'SELECT /* in the middle */ id /**/ FROM/**/users',
  'SELECT id FROM users -- at the end',
  'SELECT \'FOR UPDATE\', "INTO OUTFILE"',
  'SELECT TRUE, FALSE, NULL, NOT TRUE, NULL IS NULL, 1 IS NOT NULL',
  'SELECT 1 <=> NULL, 1 <> 2, 1 != 2, 1 >= 0, 1 <= 2',
  'SELECT id FROM users WHERE id = 1 AND NOT (username = "x" OR email = "y") XOR 1',
  'SELECT id FROM users WHERE id IN (1, 2, 3) AND id NOT IN (4)',
  'SELECT id FROM users WHERE id BETWEEN 1 AND 10 AND id NOT BETWEEN 20 AND 30',
  "SELECT id FROM users WHERE username LIKE 'a%' ESCAPE '!' OR username NOT LIKE '%b'",
  "SELECT id FROM users WHERE username REGEXP '^a' OR username RLIKE 'b$' OR username SOUNDS LIKE 'carl'",
  'SELECT id FROM users WHERE BINARY username = "x"',
  'SELECT id FROM users WHERE username COLLATE utf8mb4_bin = "x"',
  'SELECT id FROM users WHERE (id, username) = (1, "a")',
  'SELECT id FROM users WHERE ROW(id, username) IN (ROW(1, "a"), ROW(2, "b"))',
  'SELECT id FROM users WHERE id = ANY (SELECT user_id FROM posts)',
  'SELECT id FROM users WHERE id > ALL (SELECT user_id FROM posts) OR id < SOME (SELECT post_id FROM comments)',
  'SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.user_id = u.id)',
  'SELECT id FROM users u WHERE NOT EXISTS(SELECT 1 FROM posts p WHERE p.user_id = u.id)',
  'SELECT (SELECT COUNT(*) FROM posts p WHERE p.user_id = u.id) AS posts_count FROM users u',
  'SELECT ((SELECT 1) + (SELECT 2)) AS three',
  'SELECT * FROM (SELECT id FROM users) AS t',
  'SELECT * FROM ((SELECT 1 AS a) UNION (SELECT 2)) t',
  'SELECT * FROM (SELECT id FROM users ORDER BY id LIMIT 3) t WHERE t.id > 1',
  'SELECT COUNT(*) FROM (users)',
  'SELECT * FROM (users u, posts p) WHERE u.id = p.user_id',
  'SELECT * FROM (users u JOIN posts p ON u.id = p.user_id) JOIN comments c ON c.post_id = p.id',
  'SELECT * FROM ((users u JOIN posts p ON u.id = p.user_id) JOIN comments c ON c.post_id = p.id)',
  'SELECT 1 FROM DUAL WHERE 1 = 1',
];

const joins: readonly string[] = [
  'SELECT * FROM users, posts WHERE users.id = posts.user_id',
  'SELECT * FROM users u INNER JOIN posts p ON p.user_id = u.id',
  'SELECT * FROM users u LEFT JOIN posts p ON p.user_id = u.id AND p.published = TRUE',
  'SELECT * FROM users u LEFT OUTER JOIN posts p ON p.user_id = u.id WHERE p.id IS NULL',
  'SELECT * FROM users u RIGHT JOIN posts p ON p.user_id = u.id',
  'SELECT * FROM users CROSS JOIN tags',
  'SELECT * FROM posts NATURAL JOIN post_tags',
  'SELECT * FROM posts NATURAL LEFT JOIN comments',
  'SELECT * FROM users u STRAIGHT_JOIN posts p ON p.user_id = u.id',
  'SELECT * FROM posts p JOIN comments c USING (user_id)',
  'SELECT * FROM posts p JOIN comments c USING (user_id, created_at)',
  'SELECT * FROM posts p JOIN (comments c JOIN users u ON u.id = c.user_id) ON c.post_id = p.id',
  'SELECT * FROM posts p JOIN post_tags pt ON pt.post_id = p.id JOIN tags t ON t.id = pt.tag_id, users u WHERE u.id = p.user_id',
  'SELECT e.name, m.name AS manager FROM employees e LEFT JOIN employees m ON m.id = e.manager_id',
  'SELECT * FROM users u JOIN posts p ON LEFT(p.title, 1) = RIGHT(u.username, 1)',
  'SELECT * FROM { OJ users u LEFT OUTER JOIN posts p ON p.user_id = u.id }',
  'SELECT u.id FROM users u USE INDEX (idx_username) WHERE username = "a"',
  'SELECT id FROM posts FORCE INDEX FOR ORDER BY (idx_created) ORDER BY created_at',
  'SELECT id FROM posts p IGNORE INDEX (idx_user, idx_created) WHERE p.user_id = 1',
  'SELECT id FROM posts USE KEY (PRIMARY) IGNORE KEY FOR JOIN (idx_user)',
  'SELECT o.`group`, o.id FROM `order` o WHERE o.`from` = "a" GROUP BY o.`group`, o.id',
  'SELECT `order`.`id`, `order`.from FROM `order`',
  'SELECT code FROM 2fa_codes',
  'SELECT `2fa_codes`.code FROM `2fa_codes`',
];

const grouping: readonly string[] = [
  'SELECT status, COUNT(*) FROM orders GROUP BY status',
  'SELECT status, COUNT(DISTINCT user_id) AS buyers FROM orders GROUP BY status HAVING buyers > 3 ORDER BY buyers DESC',
  'SELECT user_id, SUM(total), AVG(total), MIN(total), MAX(total) FROM orders GROUP BY user_id',
  'SELECT status, SUM(total) FROM orders GROUP BY status WITH ROLLUP',
  'SELECT YEAR(placed_at) y, MONTH(placed_at) m, SUM(total) FROM orders GROUP BY y, m ORDER BY y, m',
  "SELECT GROUP_CONCAT(DISTINCT name ORDER BY name DESC SEPARATOR ', ') FROM tags",
  'SELECT STDDEV_POP(total), VAR_SAMP(total), BIT_OR(id), STD(total), VARIANCE(total) FROM orders',
  'SELECT category, COUNT(*) c FROM products GROUP BY category ORDER BY c DESC, category ASC LIMIT 5',
  'SELECT COUNT(IF(published, 1, NULL)) FROM posts',
  "SELECT SUM(CASE WHEN status = 'paid' THEN total ELSE 0 END) FROM orders",
  "SELECT CASE status WHEN 'a' THEN 1 WHEN 'b' THEN 2 END FROM orders",
  'SELECT JSON_ARRAYAGG(id), JSON_OBJECTAGG(id, username) FROM users',
  'SELECT id FROM posts ORDER BY published DESC, created_at ASC LIMIT 10 OFFSET 20',
  'SELECT id FROM posts ORDER BY id LIMIT 5, 10',
  "SELECT id FROM orders ORDER BY FIELD(status, 'new', 'paid', 'sent'), id",
  'SELECT id FROM posts ORDER BY RAND() LIMIT 1',
  'SELECT id FROM posts ORDER BY 1',
];

const windows: readonly string[] = [
  'SELECT id, ROW_NUMBER() OVER (ORDER BY salary DESC) FROM employees',
  'SELECT id, RANK() OVER (PARTITION BY department ORDER BY salary DESC) AS r FROM employees',
  'SELECT id, DENSE_RANK() OVER w, PERCENT_RANK() OVER w, CUME_DIST() OVER w FROM employees WINDOW w AS (ORDER BY salary)',
  'SELECT id, SUM(salary) OVER (PARTITION BY department ORDER BY hired_on ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM employees',
  'SELECT id, AVG(total) OVER (ORDER BY placed_at ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM orders',
  'SELECT id, SUM(total) OVER (ORDER BY id RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) FROM orders',
  'SELECT id, LAG(total, 1) OVER (ORDER BY placed_at), LEAD(total) OVER (ORDER BY placed_at) FROM orders',
  'SELECT id, FIRST_VALUE(name) OVER w1, LAST_VALUE(name) OVER w2, NTH_VALUE(name, 2) OVER w1, NTILE(4) OVER w1 FROM employees WINDOW w1 AS (PARTITION BY department ORDER BY salary), w2 AS (ORDER BY hired_on)',
  'SELECT * FROM (SELECT e.*, ROW_NUMBER() OVER (PARTITION BY department ORDER BY salary DESC) AS rn FROM employees e) ranked WHERE rn <= 3',
  'SELECT id, `window`, `offset` FROM orders',
];

const withQueries: readonly string[] = [
  'WITH recent AS (SELECT * FROM posts WHERE created_at > NOW() - INTERVAL 7 DAY) SELECT * FROM recent',
  'WITH a AS (SELECT id FROM users), b AS (SELECT id FROM a) SELECT * FROM a JOIN b USING (id)',
  'WITH a (n) AS (SELECT 1) SELECT n FROM a',
  'WITH RECURSIVE seq (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < 10) SELECT n FROM seq',
  'WITH RECURSIVE tree AS (SELECT id, name, manager_id, 0 AS depth FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, t.depth + 1 FROM employees e JOIN tree t ON e.manager_id = t.id) SELECT * FROM tree ORDER BY depth',
  'WITH posts AS (SELECT 1 AS id) SELECT id FROM posts',
  'WITH a AS (WITH b AS (SELECT 1 AS x) SELECT x FROM b) SELECT x FROM a',
  'SELECT * FROM (WITH a AS (SELECT 1 AS x) SELECT x FROM a) t',
  'SELECT (WITH a AS (SELECT 1 AS x) SELECT x FROM a) AS one',
  'WITH totals AS (SELECT user_id, SUM(total) AS spent FROM orders GROUP BY user_id) SELECT u.username, t.spent FROM users u JOIN totals t ON t.user_id = u.id WHERE t.spent > (SELECT AVG(spent) FROM totals)',
];

const sets: readonly string[] = [
  'SELECT id FROM users UNION SELECT id FROM posts',
  'SELECT id FROM users UNION ALL SELECT id FROM posts ORDER BY id LIMIT 10',
  'SELECT id FROM users UNION DISTINCT SELECT id FROM posts',
  '(SELECT id FROM users) UNION (SELECT id FROM posts) ORDER BY 1',
  '(SELECT id FROM users ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM posts ORDER BY id LIMIT 1)',
  'SELECT id FROM users EXCEPT SELECT user_id FROM posts',
  'SELECT id FROM users INTERSECT SELECT user_id FROM posts',
  'SELECT id FROM users WHERE id IN (SELECT user_id FROM posts UNION SELECT user_id FROM comments)',
  'SELECT id FROM users WHERE id IN ((SELECT user_id FROM posts) UNION (SELECT user_id FROM comments))',
  '(SELECT 1)',
  '((SELECT 1) UNION (SELECT 2))',
];

const dates: readonly string[] = [
  'SELECT NOW(), CURDATE(), CURTIME(), CURRENT_DATE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(3), UTC_TIMESTAMP(), UTC_DATE, LOCALTIME',
  "SELECT DATE_FORMAT(created_at, '%Y-%m') AS month, COUNT(*) FROM posts GROUP BY month",
  'SELECT id FROM posts WHERE created_at >= CURDATE() - INTERVAL 1 MONTH',
  "SELECT DATE_ADD('2026-01-01', INTERVAL 1 DAY), DATE_SUB(NOW(), INTERVAL '1:30' HOUR_MINUTE)",
  "SELECT '2026-01-01' + INTERVAL 3 QUARTER",
  'SELECT TIMESTAMPDIFF(DAY, created_at, NOW()), TIMESTAMPADD(HOUR, 2, created_at) FROM posts',
  'SELECT EXTRACT(YEAR FROM created_at), EXTRACT(DAY_HOUR FROM created_at) FROM posts',
  'SELECT DATEDIFF(NOW(), hired_on), LAST_DAY(hired_on), DAYNAME(hired_on), WEEK(hired_on, 1), QUARTER(hired_on) FROM employees',
  "SELECT STR_TO_DATE('2026-02-03', '%Y-%m-%d'), UNIX_TIMESTAMP(NOW()), FROM_UNIXTIME(0)",
  "SELECT DATE '2026-01-01', TIME '10:00:00', TIMESTAMP '2026-01-01 10:00:00', {d '2026-01-01'}, {ts '2026-01-01 10:00:00'}",
  "SELECT CONVERT_TZ(created_at, '+00:00', '+02:00') FROM posts",
  "SELECT GET_FORMAT(DATE, 'ISO'), MAKEDATE(2026, 45), SEC_TO_TIME(3600), TIME_TO_SEC(shift_start) FROM employees",
  'SELECT id FROM posts WHERE DATE(created_at) = CURRENT_DATE() AND HOUR(created_at) < 12',
  'SELECT INTERVAL(23, 1, 15, 17, 30, 44, 200)',
];

const functions: readonly string[] = [
  "SELECT CONCAT(username, ' <', email, '>'), CONCAT_WS('-', id, username), UPPER(username), LENGTH(email) FROM users",
  "SELECT TRIM(BOTH ' ' FROM username), TRIM(LEADING '0' FROM email), TRIM(bio), LTRIM(bio) FROM users",
  "SELECT SUBSTRING(email FROM 1 FOR 3), SUBSTRING(email, 2), SUBSTR(email, 1, 2), MID(email, 2, 3), SUBSTRING_INDEX(email, '@', -1) FROM users",
  "SELECT POSITION('@' IN email), LOCATE('@', email, 2), INSTR(email, '@') FROM users",
  "SELECT REPLACE(email, '@', ' at '), INSERT('Quadratic', 3, 4, 'What'), LPAD(id, 5, '0'), REPEAT('ab', 3), REVERSE(email) FROM users",
  'SELECT ABS(-1), CEIL(1.2), FLOOR(1.8), ROUND(1.234, 2), TRUNCATE(1.999, 1), MOD(7, 3), POWER(2, 8), SQRT(16), SIGN(-3), PI()',
  "SELECT COALESCE(bio, ''), IFNULL(bio, '-'), NULLIF(id, 0), IF(id > 1, 'a', 'b'), GREATEST(1, 2), LEAST(1, 2) FROM users",
  'SELECT CAST(id AS CHAR), CAST(id AS CHAR(10)), CAST("12" AS UNSIGNED), CAST(total AS DECIMAL(10,2)), CAST(placed_at AS DATE) FROM orders',
  "SELECT CONVERT('12', SIGNED), CONVERT(status USING utf8mb4), CAST(status AS CHAR CHARACTER SET utf8mb4), CAST('10:00' AS TIME(3)) FROM orders",
  "SELECT SHA2(email, 256), CRC32(email), HEX(email), UNHEX('4D'), TO_BASE64(email), FROM_BASE64('YQ==') FROM users",
  "SELECT FORMAT(1234.5, 2), ELT(2, 'a', 'b'), FIND_IN_SET('b', 'a,b'), FIELD('b', 'a', 'b'), CHAR(77 USING utf8mb4), ASCII('a'), ORD('a'), BIN(5), CONV('a', 16, 2)",
  "SELECT REGEXP_REPLACE(username, '[0-9]+', ''), REGEXP_SUBSTR(username, '[a-z]+'), REGEXP_INSTR(username, 'a') FROM users",
  'SELECT id, MATCH (bio) AGAINST ("hello") AS score FROM users ORDER BY score DESC',
  "SELECT id FROM users WHERE MATCH(bio) AGAINST ('+a -b' IN BOOLEAN MODE) OR MATCH (bio) AGAINST ('x' WITH QUERY EXPANSION)",
  "SELECT INET_ATON('10.0.0.1'), INET6_NTOA(INET6_ATON('::1')), BIT_COUNT(7), CHARSET('a'), COLLATION('a')",
  'SELECT COUNT( * ), SUM( id ) FROM users',
  'SELECT ST_ASTEXT(POINT(1, 2)), ST_DISTANCE(POINT(0, 0), POINT(3, 4))',
  'SELECT DEFAULT(published) FROM posts',
  "SELECT WEIGHT_STRING('a'), QUOTE('a'), SOUNDEX('Carl'), STRCMP('a', 'b'), SPACE(3)",
];

const json: readonly string[] = [
  "SELECT JSON_EXTRACT(meta, '$.a'), JSON_VALUE(meta, '$.a'), JSON_UNQUOTE(JSON_EXTRACT(meta, '$.a')) FROM orders",
  "SELECT JSON_OBJECT('id', id, 'name', username), JSON_ARRAY(1, 'a', NULL), JSON_LENGTH('[1,2]'), JSON_VALID('{}') FROM users",
  "SELECT id FROM products WHERE JSON_CONTAINS(attributes, '\"red\"', '$.colors')",
  "SELECT j.* FROM orders o, JSON_TABLE(o.meta, '$.items[*]' COLUMNS (n FOR ORDINALITY, sku VARCHAR(40) PATH '$.sku', qty INT PATH '$.qty' DEFAULT '0' ON EMPTY NULL ON ERROR)) AS j",
  "SELECT j.a FROM JSON_TABLE('[{\"a\":1,\"b\":[1,2]}]', '$[*]' COLUMNS (a INT PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (b INT PATH '$'))) j JOIN users u ON u.id = j.a",
  "SELECT JSON_KEYS('{\"a\":1}'), JSON_TYPE('1'), JSON_SEARCH('[\"a\"]', 'one', 'a'), JSON_SET('{}', '$.a', 1), JSON_MERGE_PATCH('{}', '{}')",
];

const values: readonly ValidRead[] = [
  { sql: 'VALUES (1, 2), (3, 4)', engine: 'mariadb' },
  { sql: 'VALUES (1), (2) UNION SELECT 3', engine: 'mariadb' },
  { sql: 'SELECT * FROM (VALUES (1, 2), (3, 4)) AS t', engine: 'mariadb' },
  { sql: 'WITH v (a, b) AS (VALUES (1, 2), (3, 4)) SELECT a, b FROM v', engine: 'mariadb' },
  { sql: 'VALUES ROW(1, 2), ROW(3, 4)', engine: 'mysql' },
  { sql: 'SELECT * FROM (VALUES ROW(1, 2), ROW(3, 4)) AS t (a, b)', engine: 'mysql' },
  { sql: 'SELECT t.a FROM (SELECT 1, 2) AS t (a, b)', engine: 'mysql' },
  { sql: 'SELECT id FROM users ORDER BY id FETCH FIRST 5 ROWS ONLY', engine: 'mariadb' },
  { sql: 'SELECT id FROM users ORDER BY id OFFSET 5 ROWS FETCH NEXT 10 ROWS WITH TIES', engine: 'mariadb' },
  { sql: 'SELECT id FROM users LIMIT ROWS EXAMINED 100', engine: 'mariadb' },
  {
    sql: 'SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) OVER (PARTITION BY department), MEDIAN(salary) OVER (PARTITION BY department) FROM employees',
    engine: 'mariadb',
  },
  {
    sql: 'SELECT CAST(id AS VARCHAR(10)), NVL(bio, 1), NVL2(bio, 1, 2), CHR(77), TO_CHAR(created_at), LENGTHB(bio) FROM users',
    engine: 'mariadb',
  },
  { sql: 'SELECT MD5(email), SHA1(email), SHA(email) FROM users', engine: 'mariadb' },
  { sql: 'SELECT id, LAG(total, 1, 0) OVER (ORDER BY placed_at) FROM orders', engine: 'mysql' },
  { sql: 'SELECT * FROM (TABLE users) t', engine: 'mysql' },
  { sql: 'SELECT 1, 2 UNION TABLE post_tags', engine: 'mysql' },
  { sql: "SELECT meta->'$.a', meta->>'$.a' FROM orders", engine: 'mysql' },
  { sql: "SELECT id FROM orders WHERE 5 MEMBER OF (meta->'$.ids')", engine: 'mysql' },
  {
    sql: 'SELECT u.id, l.n FROM users u, LATERAL (SELECT COUNT(*) AS n FROM posts p WHERE p.user_id = u.id) l',
    engine: 'mysql',
  },
  {
    sql: 'SELECT status, GROUPING(status), ANY_VALUE(user_id) FROM orders GROUP BY status WITH ROLLUP',
    engine: 'mysql',
  },
  {
    sql: "SELECT REGEXP_LIKE(username, 'a'), BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db')) FROM users",
    engine: 'mysql',
  },
  { sql: 'EXPLAIN SELECT id FROM users' },
  { sql: 'EXPLAIN FORMAT=JSON SELECT id FROM users WHERE id = 1' },
  { sql: 'DESC SELECT id FROM users' },
  { sql: 'SELECT id FROM users WHERE id = ?', params: [1] },
  {
    sql: 'SELECT id FROM users WHERE id = :id OR (:id IS NULL AND username = :name)',
    params: { id: 1, name: null },
  },
  { sql: 'SELECT id FROM users ORDER BY id LIMIT ? OFFSET ?', params: [10, 0] },
  {
    sql: "SELECT id FROM users WHERE username LIKE CONCAT('%', ?, '%') AND created_at > ?",
    params: ['a', '2026-01-01'],
  },
];

export const VALID_READS: readonly ValidRead[] = [
  ...[plain, joins, grouping, windows, withQueries, sets, dates, functions, json]
    .flat()
    .map((sql) => ({ sql })),
  ...values,
];
