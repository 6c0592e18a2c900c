/** A table with a column of every type that responses can contain. */
export const WIDE_TABLE = `CREATE TABLE wide (id int PRIMARY KEY, t tinyint, tu tinyint unsigned, s smallint, su smallint unsigned, m mediumint, mu mediumint unsigned, i int, iu int unsigned,
  b bigint, bu bigint unsigned, f float, d double, dec_ decimal(65,30), bit1 bit(1), bit64 bit(64), y year, da date, dt datetime, dt3 datetime(3), dt6 datetime(6), ts timestamp(6) NULL,
  ti time, ti6 time(6), c char(10), v varchar(100), tx longtext, bi binary(4), vb varbinary(50), bl longblob, e enum('a','ä'), st set('x','y'), j json, l1 varchar(20) CHARACTER SET latin1)`;
/**
 * Rows with the smallest and largest values of each type, NULL and zeros. They can be inserted only without
 * the strict SQL mode.
 */
export const WIDE_ROWS: readonly string[] = [
  `(1, -128, 255, -32768, 65535, -8388608, 16777215, -2147483648, 4294967295, -9223372036854775808, 18446744073709551615, 1.1, 5e-324, 12345678901234567890123456789012345.123456789012345678901234567890, b'1', b'1000000000000000000000000000000000000000000000000000000000000001', 2155, '9999-12-31', '9999-12-31 23:59:59', '2026-01-02 03:04:05.678', '2026-01-02 03:04:05.000009', '2026-01-02 03:04:05.5', '-838:59:59', '838:59:58.000001', 'char', '😀 "\\\\ \\n', 'tëxt', 'ab', x'00ff', x'', 'ä', 'x,y', '{"a": [1, "ü"]}', 'é')`,
  `(2, 0, 0, 0, 0, 0, 0, 0, 0, 9007199254740991, 9007199254740993, -0.0, -1.7976931348623157e308, -0.5, b'0', b'0', 1901, '1000-01-01', '1000-01-01 00:00:00', '2026-01-02 00:00:00', '2026-01-02 03:04:00', '1970-01-02 00:00:00', '00:00:00', '-00:00:00.5', '', '', '', '', '', 'x', 'a', '', 'null', '')`,
  '(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)',
  "(4, 1, 1, 1, 1, 1, 1, 1, 1, 4294967296, 4294967295, 1, 1, 1, b'1', b'1', 2026, '0000-00-00', '0000-00-00 00:00:00', '2026-05-00', NULL, NULL, '10:00:00', '100:00:00', 'a', 'b', 'c', 'd', 'e', 'f', 'a', 'x', '[]', 'l')",
];
