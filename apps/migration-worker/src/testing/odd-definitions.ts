import type { EngineKind } from '@rowhouse/schema-model';

/** A definition that a tenant may use. `#` in its text is replaced with a unique name. */
export interface UnusualDefinition {
  readonly sql: string;
  /** The engine that supports the definition. Undefined if both engines do. */
  readonly on?: EngineKind;
}

const both = (...texts: string[]): UnusualDefinition[] => texts.map((sql) => ({ sql }));
const only = (on: EngineKind, ...texts: string[]): UnusualDefinition[] => texts.map((sql) => ({ sql, on }));
/** Creates one table per column, so that an error names its column. */
const columns = (...definitions: string[]): string[] =>
  definitions.map((definition) => `CREATE TABLE # (id int PRIMARY KEY, c ${definition})`);
const tables = (...bodies: string[]): string[] => bodies.map((body) => `CREATE TABLE # ${body}`);

const ZERO_DEFAULTS = columns(
  // An import converts the first definition below to the second.
  'timestamp NOT NULL ON UPDATE CURRENT_TIMESTAMP',
  `timestamp NOT NULL DEFAULT '0000-00-00 00:00:00' ON UPDATE CURRENT_TIMESTAMP`,
  `datetime NOT NULL DEFAULT '0000-00-00 00:00:00'`,
  `date NOT NULL DEFAULT '0000-00-00'`,
  `date DEFAULT '2020-00-00'`,
  `datetime DEFAULT '2020-01-00 00:00:00'`,
  `timestamp(3) NOT NULL DEFAULT '0000-00-00 00:00:00.000'`,
  `year DEFAULT '0000'`,
  `time DEFAULT '-838:59:59'`,
  `timestamp NULL DEFAULT NULL`,
  `timestamp NOT NULL`,
  `datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)`,
  `timestamp(6) NULL DEFAULT CURRENT_TIMESTAMP(6)`,
);

const DEFAULTS = columns(
  `varchar(40) DEFAULT (uuid())`,
  `int DEFAULT (1 + 2)`,
  `varchar(40) DEFAULT (concat('a', 'b''c', "d"))`,
  `json DEFAULT (json_object('a', 1))`,
  `text DEFAULT ('long')`,
  `blob DEFAULT (x'00ff')`,
  `date DEFAULT (curdate() + interval 1 day)`,
  `varchar(20) DEFAULT '\\\\ back\\'slash'`,
  `varchar(20) DEFAULT ''`,
  `varchar(20) DEFAULT '''quoted'''`,
  `varchar(40) DEFAULT 'ünï'`,
  `char(3) DEFAULT '   '`,
  `binary(4) DEFAULT 'ab'`,
  `varbinary(8) DEFAULT x'0001ff'`,
  `bit(8) DEFAULT b'10101010'`,
  `bit(1) NOT NULL DEFAULT b'0'`,
  `decimal(10,4) DEFAULT '-1.5000'`,
  `double DEFAULT 1e-10`,
  `float DEFAULT '3.14'`,
  `bigint unsigned DEFAULT 18446744073709551615`,
  `tinyint(1) DEFAULT 1`,
  `int(5) unsigned zerofill DEFAULT 7`,
  `varchar(30) DEFAULT 'NULL'`,
  `varchar(30) DEFAULT 'current_timestamp'`,
  `varchar(30) DEFAULT 'a\\nb\\tc'`,
  `boolean DEFAULT true`,
  `varchar(20) DEFAULT '50%'`,
  `varchar(20) DEFAULT ', PRIMARY KEY ('`,
  `varchar(20) DEFAULT '\\n) ENGINE=x'`,
);

const GENERATED = tables(
  `(id int PRIMARY KEY, doc json, n int AS (json_unquote(json_extract(doc, '$.n'))) STORED)`,
  `(id int PRIMARY KEY, doc json, n varchar(20) AS (json_value(doc, '$.a.b')) VIRTUAL, KEY n (n))`,
  `(id int PRIMARY KEY, a int, b int AS (a * -2) VIRTUAL)`,
  `(id int PRIMARY KEY, a varchar(9), b varchar(40) AS (concat(a, ' it''s \\\\ "x"')) STORED)`,
  `(id int PRIMARY KEY, d datetime, y int AS (year(d)) STORED)`,
  `(id int PRIMARY KEY, a int, b int AS (case when a > 1 then -(1) else a end) STORED UNIQUE)`,
  `(id int PRIMARY KEY, a varchar(30), b varchar(64) AS (sha2(a, 256)) STORED)`,
  `(id int PRIMARY KEY, a int, b int AS (a + 1) VIRTUAL COMMENT 'next, of (a)')`,
  `(id int PRIMARY KEY, a varchar(10) CHARACTER SET latin1, b varchar(10) AS (upper(a)) STORED)`,
  `(id int PRIMARY KEY, a int, b decimal(20,6) AS (a / 7) STORED)`,
  `(id int PRIMARY KEY, a int, b int AS (a) STORED, c int AS (b) VIRTUAL)`,
);

const CHECKS = tables(
  `(id int PRIMARY KEY, a int CHECK (a > 0))`,
  `(id int PRIMARY KEY, a int, CONSTRAINT #c CHECK (a between 1 and 9))`,
  `(id int PRIMARY KEY, a varchar(40), CHECK (a regexp '^[a-z]+$'))`,
  `(id int PRIMARY KEY, a varchar(40), CHECK (char_length(trim(a)) > 0))`,
  `(id int PRIMARY KEY, a varchar(9), CHECK (a in ('x', 'y''z', 'ü')))`,
  `(id int PRIMARY KEY, a json, CHECK (json_type(json_extract(a, '$.k')) = 'STRING'))`,
  `(id int PRIMARY KEY, a int, b int, CONSTRAINT \`# odd \`\` name\` CHECK (a < b or a is null))`,
  `(id int PRIMARY KEY, a varchar(9), CHECK (a like '50\\%%'))`,
  `(id int PRIMARY KEY, d date, CHECK (d > '2000-01-01'))`,
  `(id int PRIMARY KEY, a int, CHECK (a <> -5), CHECK (a % 2 = 0))`,
  `(id int PRIMARY KEY, a varchar(9), CHECK (a <> ') , ('))`,
  `(id int PRIMARY KEY, a varchar(9), CHECK (a <=> lower(a)))`,
);

const CHARSETS = columns(
  'varchar(20) CHARACTER SET latin1',
  'varchar(20) CHARACTER SET ascii COLLATE ascii_bin',
  'varchar(20) CHARACTER SET utf8mb3',
  'varchar(20) COLLATE utf8mb4_bin',
  'varchar(20) CHARACTER SET ucs2',
  'text CHARACTER SET cp1251 COLLATE cp1251_general_cs',
  'varchar(20) CHARACTER SET sjis',
  'varchar(20) CHARACTER SET gbk',
  'varchar(20) CHARACTER SET big5',
  'varchar(20) CHARACTER SET utf16',
  'varchar(20) CHARACTER SET utf32 COLLATE utf32_bin',
  'char(20) CHARACTER SET binary',
  'varchar(20) BINARY',
  'text CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  'longtext COLLATE utf8mb4_unicode_520_ci',
  'varchar(20) COLLATE utf8mb4_swedish_ci',
  `enum('ß', 'é') CHARACTER SET latin1`,
  'national varchar(10)',
  'varchar(191) CHARACTER SET koi8r',
).concat(
  tables(
    '(id int PRIMARY KEY, c varchar(9)) DEFAULT CHARSET=latin1 COLLATE=latin1_german1_ci',
    '(id int PRIMARY KEY, c varchar(9) COLLATE utf8mb4_bin) COLLATE=utf8mb4_general_ci',
    '(id int PRIMARY KEY, c varchar(9)) CHARSET=utf8mb3',
  ),
);

const NAMES = [
  'CREATE TABLE `# back``quote` (`i``d` int PRIMARY KEY, `a``b` int, KEY `k``x` (`a``b`))',
  'CREATE TABLE `#.dot` (`a.b` int PRIMARY KEY)',
  'CREATE TABLE `# ünï 日本` (`spalte ä` int PRIMARY KEY, `Ω` text)',
  `CREATE TABLE \`#_${'l'.repeat(50)}\` (\`${'c'.repeat(64)}\` int PRIMARY KEY, KEY \`${'k'.repeat(64)}\` (\`${'c'.repeat(64)}\`))`,
  'CREATE TABLE `# select` (`from` int PRIMARY KEY, `where` int, `group` int, KEY `order` (`where`))',
  'CREATE TABLE `# "double" \'single\'` (`"` int PRIMARY KEY, `\'` int)',
  'CREATE TABLE `# (paren, comma)` (`a (b)` int PRIMARY KEY, `c, d` int, KEY `k (1), (2)` (`c, d`))',
  'CREATE TABLE `# -- dash /* x */` (`# hash` int PRIMARY KEY)',
  'CREATE TABLE `#UPPER` (`ID` int PRIMARY KEY, `MixedCase` int)',
  'CREATE TABLE `# $dollar %percent` (`a$b` int PRIMARY KEY, `50%` int)',
  'CREATE TABLE `# 1` (`1` int PRIMARY KEY, `2e3` int)',
  'CREATE TABLE `# \\\\back` (`a\\\\b` int PRIMARY KEY)',
  'CREATE TABLE # (` lead` int PRIMARY KEY, `tab\tin` int)',
  'CREATE TABLE # (id int PRIMARY KEY, `new\nline` int)',
];

const LISTS = columns(
  `enum('a','b')`,
  `enum('it''s','a,b','(c)')`,
  `enum('')`,
  `enum('NULL','0','') DEFAULT ''`,
  `set('x','y z','ü') DEFAULT 'x,ü'`,
  `enum('\\\\','\\n') NOT NULL DEFAULT '\\\\'`,
  `enum('${'e'.repeat(200)}')`,
  `enum('a','b') NOT NULL`,
  `set('a','b') COLLATE utf8mb4_bin`,
  `enum('é','€')`,
);

const TYPES = columns(
  'tinyint',
  'smallint unsigned',
  'mediumint',
  'bigint',
  'float(7,3)',
  'double(10,2)',
  'decimal(65,30)',
  'bit(64)',
  'char(0)',
  'binary(16)',
  'tinytext',
  'mediumblob',
  'longblob',
  'year',
  'time(2)',
  'datetime(1)',
  'timestamp(4) NULL',
  'json',
  'json NOT NULL',
  'real',
  'numeric(5)',
  'dec(4,1)',
  'int zerofill',
  'varchar(16000)',
  'point',
  'geometry',
  'linestring NOT NULL',
  'polygon',
  'geometrycollection',
  'multipoint',
);

const INDEXES = tables(
  '(id int PRIMARY KEY, a text, KEY a (a(10)))',
  '(id int PRIMARY KEY, a blob, b text, UNIQUE KEY ab (a(5), b(7)))',
  '(id int PRIMARY KEY, a int, b int, KEY ab (a DESC, b ASC))',
  '(id int PRIMARY KEY, a text, FULLTEXT KEY a (a))',
  `(id int PRIMARY KEY, a text, KEY a (a(20)) COMMENT 'it''s, (x)')`,
  '(id int PRIMARY KEY, p point NOT NULL, SPATIAL KEY p (p))',
  '(a int, b int, PRIMARY KEY (b, a))',
  '(a int NOT NULL, UNIQUE KEY (a))',
  '(a int)',
  '(a int, UNIQUE KEY (a), KEY (a), KEY a_3 (a))',
  '(id int AUTO_INCREMENT, KEY (id)) AUTO_INCREMENT=500',
  '(id varchar(40) PRIMARY KEY, a varchar(255), KEY (a(191)))',
  '(id int PRIMARY KEY, a int, KEY USING BTREE (a))',
);

const OPTIONS = tables(
  '(id int PRIMARY KEY, a text) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8',
  '(id int PRIMARY KEY) ROW_FORMAT=COMPACT',
  '(id int PRIMARY KEY) ROW_FORMAT=REDUNDANT',
  '(id int PRIMARY KEY) ROW_FORMAT=DYNAMIC',
  '(id int PRIMARY KEY) STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 STATS_SAMPLE_PAGES=20',
  `(id int PRIMARY KEY) COMMENT='it''s a "table" \\\\ 100%'`,
  `(id int PRIMARY KEY) COMMENT='line\nline'`,
  '(id int PRIMARY KEY) MAX_ROWS=1000 AVG_ROW_LENGTH=100',
  '(id int PRIMARY KEY) PACK_KEYS=1 CHECKSUM=1 DELAY_KEY_WRITE=1',
  `(id int PRIMARY KEY) COMMENT='PARTITION BY HASH (id)'`,
).concat(
  columns(
    `int COMMENT 'quote '' and "double"'`,
    `int COMMENT 'new\\nline \\\\ slash'`,
    `int COMMENT 'comma, (paren) -- dash'`,
    `int COMMENT 'ünïcödé 日本'`,
    `int NOT NULL COMMENT 'DEFAULT 5 COMMENT'`,
  ),
);

const KEYS = [
  'CREATE TABLE #p (id int PRIMARY KEY); CREATE TABLE #c (id int PRIMARY KEY DEFAULT 1, FOREIGN KEY (id) REFERENCES #p (id) ON DELETE SET DEFAULT)',
  'CREATE TABLE # (id int PRIMARY KEY, parent int, FOREIGN KEY (parent) REFERENCES # (id) ON DELETE CASCADE)',
  'CREATE TABLE #a (id int PRIMARY KEY, b int, FOREIGN KEY (b) REFERENCES #b (id)); CREATE TABLE #b (id int PRIMARY KEY, a int, FOREIGN KEY (a) REFERENCES #a (id))',
  'CREATE TABLE #p (a int, b int, PRIMARY KEY (a, b)); CREATE TABLE #c (id int PRIMARY KEY, a int, b int, CONSTRAINT `# odd ``k` FOREIGN KEY (a, b) REFERENCES #p (a, b) ON UPDATE CASCADE ON DELETE SET NULL)',
  'CREATE TABLE #p (id int PRIMARY KEY, u varchar(20) UNIQUE); CREATE TABLE #c (id int PRIMARY KEY, u varchar(20), FOREIGN KEY (u) REFERENCES #p (u) ON DELETE NO ACTION ON UPDATE RESTRICT)',
  'CREATE TABLE `#p ``q` (`i``d` int PRIMARY KEY); CREATE TABLE `#c ``q` (`i``d` int PRIMARY KEY, `p``d` int, FOREIGN KEY (`p``d`) REFERENCES `#p ``q` (`i``d`))',
  'CREATE TABLE #p (id bigint unsigned PRIMARY KEY); CREATE TABLE #c (id bigint unsigned PRIMARY KEY, FOREIGN KEY (id) REFERENCES #p (id))',
];

const OBJECTS = [
  'CREATE TABLE # (id int PRIMARY KEY, a int); CREATE VIEW #v AS SELECT id, a + 1 AS b FROM #; CREATE VIEW #w AS SELECT b FROM #v WHERE b > 1',
  `CREATE TABLE # (id int PRIMARY KEY, a varchar(9)); CREATE VIEW \`# view\` AS SELECT a AS \`it's\`, 'lit''eral' AS l FROM #`,
  'CREATE TABLE # (id int PRIMARY KEY, a int); CREATE TRIGGER #t BEFORE INSERT ON # FOR EACH ROW SET NEW.a = 1; CREATE TRIGGER #u BEFORE INSERT ON # FOR EACH ROW FOLLOWS #t SET NEW.a = NEW.a + 1; CREATE TRIGGER #s BEFORE INSERT ON # FOR EACH ROW PRECEDES #t SET NEW.a = 0',
  'CREATE FUNCTION #f (x int) RETURNS int DETERMINISTIC RETURN x * 2; CREATE TABLE # (id int PRIMARY KEY); CREATE VIEW #v AS SELECT #f(id) AS d FROM #',
  'CREATE PROCEDURE #p () BEGIN SELECT 1; END',
  'CREATE TABLE # (id int PRIMARY KEY, a int); CREATE VIEW #v AS SELECT a, count(*) AS n FROM # GROUP BY a WITH ROLLUP',
  'CREATE TABLE # (id int PRIMARY KEY, a int); CREATE VIEW #v AS WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, (SELECT max(a) FROM #) AS m FROM n',
  'CREATE TABLE # (id int PRIMARY KEY, a int); CREATE VIEW #v AS SELECT id FROM # WHERE a > 1 WITH CASCADED CHECK OPTION',
];

const PARTITIONS = tables(
  '(id int PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 4',
  '(id int, d date, PRIMARY KEY (id, d)) PARTITION BY RANGE (year(d)) (PARTITION p0 VALUES LESS THAN (2020), PARTITION p1 VALUES LESS THAN MAXVALUE)',
  `(id int, k varchar(9), PRIMARY KEY (id, k)) PARTITION BY LIST COLUMNS (k) (PARTITION pa VALUES IN ('a', 'b'), PARTITION pc VALUES IN ('it''s'))`,
  '(id int, d date, PRIMARY KEY (id, d)) PARTITION BY RANGE (to_days(d)) SUBPARTITION BY HASH (id) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (730000), PARTITION p1 VALUES LESS THAN MAXVALUE)',
  '(id int PRIMARY KEY) PARTITION BY KEY (id) PARTITIONS 2',
  `(id int PRIMARY KEY) COMMENT='x' PARTITION BY RANGE (id) (PARTITION \`p 0\` VALUES LESS THAN (10) COMMENT = 'it''s')`,
);

const ON_MARIADB = [
  ...columns(
    'uuid',
    'inet6',
    'inet4',
    'uuid DEFAULT uuid()',
    'text COMPRESSED',
    "varchar(99) COMPRESSED DEFAULT ''",
    'int INVISIBLE DEFAULT 1',
    `int DEFAULT (1) CHECK (c > 0)`,
    'varchar(20) COLLATE uca1400_ai_ci',
    'point REF_SYSTEM_ID=4326',
    "int COMMENT 'rocket 🚀'",
  ),
  ...tables(
    '(id int PRIMARY KEY, a int, KEY a (a) IGNORED)',
    '(id int PRIMARY KEY, a int) PAGE_COMPRESSED=1',
    '(id int PRIMARY KEY, a int) PAGE_CHECKSUM=1 TRANSACTIONAL=0',
    `(id int PRIMARY KEY) COMMENT='🚀 table'`,
    '(id int PRIMARY KEY, a varchar(2000), UNIQUE KEY a (a) USING HASH)',
    '(id int PRIMARY KEY, a varchar(9), b varchar(9) AS (a) PERSISTENT)',
  ),
];

const ON_MYSQL = [
  ...columns(
    'int INVISIBLE DEFAULT 1',
    'varchar(20) COLLATE utf8mb4_0900_as_cs',
    'point SRID 4326',
    'point NOT NULL /*!80003 SRID 0 */',
    'vector(3)',
    'vector',
    `varchar(40) DEFAULT 'ünï 🚀'`,
    `int COMMENT 'rocket 🚀'`,
    'geometry SRID 3857',
    "varchar(9) DEFAULT (lower(_utf8mb4'Ä'))",
    'int DEFAULT (abs(-(3)))',
    'json DEFAULT (json_array())',
    'varbinary(16) DEFAULT (uuid_to_bin(uuid()))',
  ),
  ...tables(
    '(id int PRIMARY KEY, a varchar(20), KEY f ((lower(a))))',
    "(id int PRIMARY KEY, doc json, KEY f ((cast(doc->>'$.n' as unsigned))))",
    "(id int PRIMARY KEY, doc json, KEY f ((cast(doc->'$.list' as unsigned array))))",
    '(id int PRIMARY KEY, a int, b int, KEY f ((a + b) DESC, a))',
    '(id int PRIMARY KEY, a int, KEY a (a) INVISIBLE)',
    '(id int PRIMARY KEY, a text, FULLTEXT KEY a (a) WITH PARSER ngram)',
    '(id int PRIMARY KEY, a int, CONSTRAINT #n CHECK (a > 0) NOT ENFORCED)',
    `(id int PRIMARY KEY) COMMENT='🚀 table'`,
    '(id int PRIMARY KEY, p point NOT NULL SRID 4326, SPATIAL KEY p (p))',
    '(id int PRIMARY KEY) AUTOEXTEND_SIZE=4M',
  ),
];

/** Definitions that a draft accepts. All later stages must support them. */
export const ODD_DEFINITIONS: readonly UnusualDefinition[] = [
  ...both(
    ...ZERO_DEFAULTS,
    ...DEFAULTS,
    ...GENERATED,
    ...CHECKS,
    ...CHARSETS,
    ...NAMES,
    ...LISTS,
    ...TYPES,
    ...INDEXES,
    ...OPTIONS,
    ...KEYS,
    ...OBJECTS,
    ...PARTITIONS,
  ),
  ...only('mariadb', ...ON_MARIADB),
  ...only('mysql', ...ON_MYSQL),
];

export interface RefusedDefinition extends UnusualDefinition {
  readonly reason: RegExp;
}

const rejected = (reason: RegExp, ...definitions: UnusualDefinition[]): RefusedDefinition[] =>
  definitions.map((definition) => ({ ...definition, reason }));

/** Definitions that are rejected when they are applied, each with the reason. */
export const REJECTED_DEFINITIONS: readonly RefusedDefinition[] = [
  ...rejected(
    /System-versioned and period tables/,
    ...only(
      'mariadb',
      ...tables(
        '(id int PRIMARY KEY) WITH SYSTEM VERSIONING',
        '(id int PRIMARY KEY, a date, b date, PERIOD FOR p (a, b))',
      ),
    ),
  ),
  ...rejected(/CREATE SEQUENCE is not supported/, ...only('mariadb', 'CREATE SEQUENCE #')),
  ...rejected(
    /'🚀': the server cannot store four-byte characters/,
    ...both(...columns(`enum('🚀')`)),
    ...only('mariadb', ...columns(`varchar(9) DEFAULT '🚀'`)),
    ...only('mysql', ...columns(`varchar(9) CHECK (c <> '🚀')`)),
  ),
  ...rejected(
    /stopword list/,
    ...both(...tables('(value varchar(9) PRIMARY KEY)', '(v int AS (1) VIRTUAL, value varchar(9) NULL)')),
  ),
  ...rejected(/Invalid default value/, ...both(...columns(`int DEFAULT 'x'`, `date DEFAULT '2020-13-01'`))),
];
