const NAME = '`[A-Za-z0-9_$]+`';
const TYPE = String.raw`(?:tiny|small|medium|big)?int(?:\(\d+\))?(?: unsigned)?|decimal\(\d+,\d+\)(?: unsigned)?|double|float|(?:var)?char\(\d+\)|(?:tiny|medium|long)?text|(?:tiny|medium|long)?blob|(?:var)?binary\(\d+\)|date|datetime(?:\(\d\))?|timestamp(?:\(\d\))?|time(?:\(\d\))?|json`;
const VALUE = String.raw`NULL|-?\d+(?:\.\d+)?|'[A-Za-z0-9_ .,:;/@-]*'|current_timestamp(?:\(\d?\))?`;
const CHARSET = '(?: CHARACTER SET utf8mb4)?(?: COLLATE utf8mb4_[a-z0-9_]+)?';
const COLUMN = String.raw`${NAME} (?:${TYPE})${CHARSET}(?: NOT NULL| NULL)?(?: DEFAULT (?:${VALUE}))?(?: ON UPDATE current_timestamp(?:\(\d?\))?)?(?: AUTO_INCREMENT)?(?: COMMENT '[A-Za-z0-9_ .,:;/@-]*')?(?: CHECK \(json_valid\(${NAME}\)\))?`;
const NAMES = String.raw`\(${NAME}(?:,${NAME})*\)`;
const KEY = `(?:PRIMARY KEY|UNIQUE KEY ${NAME}|KEY ${NAME}) ${NAMES}`;
const ACTION = 'CASCADE|SET NULL|NO ACTION|RESTRICT';
const FOREIGN_KEY = String.raw`CONSTRAINT ${NAME} FOREIGN KEY \(${NAME}(?:, ${NAME})*\) REFERENCES ${NAME} \(${NAME}(?:, ${NAME})*\)(?: ON (?:DELETE|UPDATE) (?:${ACTION}))*`;
const PLAIN_LINE = new RegExp(`^  (?:${COLUMN}|${KEY}|${FOREIGN_KEY}),?$`, 'i');
const PLAIN_HEAD = new RegExp(`^CREATE TABLE ${NAME} \\($`);
const PLAIN_TAIL = /^\) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4(?: COLLATE=utf8mb4_[a-z0-9_]+)?$/;
/** Matches zero dates, whose meaning depends on a session's mode. */
const ZERO_DATE = /'\d{4}-00|-00[ ']|'0000/;

/**
 * Returns whether a server's description of a table contains only common types, values, names and keys. Each
 * server parses those as it printed them, so trying such a table again would show nothing new.
 */
export function isPlainDefinition(createSql: string): boolean {
  const lines = createSql.split('\n');
  const [head = '', tail = ''] = [lines[0], lines.at(-1)];
  return (
    PLAIN_HEAD.test(head) &&
    PLAIN_TAIL.test(tail) &&
    lines.slice(1, -1).every((line) => PLAIN_LINE.test(line) && !ZERO_DATE.test(line))
  );
}
