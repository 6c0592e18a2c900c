/**
 * Random schemas that a server accepts: a model, its SQL, and changes of the model. The same seed always
 * gives the same schemas.
 */
export interface ModelColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly defaultSql: string | null;
  readonly autoIncrement: boolean;
  /** A generated column computes a value of `type` from the expression. */
  readonly generated: { readonly kind: 'VIRTUAL' | 'STORED'; readonly expression: string } | null;
  readonly comment: string;
}
export interface ModelIndex {
  readonly name: string;
  readonly kind: 'PRIMARY' | 'UNIQUE' | 'KEY' | 'FULLTEXT';
  readonly columns: readonly string[];
}
export interface ModelKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly far: string;
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'RESTRICT';
}
export interface ModelTable {
  readonly name: string;
  readonly columns: readonly ModelColumn[];
  readonly indexes: readonly ModelIndex[];
  readonly keys: readonly ModelKey[];
  readonly checks: readonly { readonly name: string; readonly clause: string }[];
  readonly comment: string;
}
export type Model = readonly ModelTable[];

export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 1) >>> 0;
  }
  /** Returns a whole number with 0 <= n < bound. */
  below(bound: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 0x297a_2d39) >>> 0;
    return ((mixed ^ (mixed >>> 16)) >>> 0) % bound;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

const KEY_TYPES = ['int', 'bigint', 'int unsigned', 'smallint', 'varchar(40)', 'varchar(80)'];
const TYPES = [
  ...KEY_TYPES,
  'varchar(20)',
  'varchar(300)',
  'text',
  'decimal(10,2)',
  'decimal(12,4)',
  'date',
  'datetime',
  'datetime(3)',
  'boolean',
  "enum('a','b')",
  "enum('b','c','a')",
  'json',
  'double',
  'binary(8)',
  'char(5)',
  'time',
  'year',
  'mediumblob',
  "set('x','y')",
  'varchar(20) CHARACTER SET latin1',
];
const NUMBER = /^(int|bigint|smallint|decimal|double)/;
/**
 * Returns whether the type is TEXT, BLOB or JSON.
 * These accept no key without a prefix and, on MySQL, no literal default.
 */
const isLong = (type: string): boolean => /text|blob|json/.test(type);

export function makeModel(random: Random): Model {
  let model: Model = [];
  for (let index = 0, count = 1 + random.below(4); index < count; index += 1)
    model = [...model, makeTable(random, `t${index}`, model)];
  return model;
}

/** Makes a few changes that are typical of users. */
export function changeModel(random: Random, model: Model): Model {
  let changed = model;
  for (let index = 0, count = 1 + random.below(5); index < count; index += 1)
    changed = changeOnce(random, changed);
  return repair(changed);
}

function makeTable(random: Random, name: string, others: Model): ModelTable {
  const columns: ModelColumn[] = [];
  const indexes: ModelIndex[] = [];
  if (random.chance(85)) {
    columns.push({
      ...plainColumn('id', random.pick(KEY_TYPES.slice(0, 4))),
      nullable: false,
      autoIncrement: random.chance(70),
    });
    indexes.push({ name: 'PRIMARY', kind: 'PRIMARY', columns: ['id'] });
  }
  for (let index = 0, count = 1 + random.below(5); index < count; index += 1)
    columns.push(makeColumn(random, `c${index}`));
  let table: ModelTable = {
    name,
    columns,
    indexes,
    keys: [],
    checks: [],
    comment: random.chance(20) ? 'about' : '',
  };
  for (let index = random.below(3); index > 0; index -= 1) table = addIndex(random, table);
  if (random.chance(50)) table = addKey(random, table, [...others, table]);
  if (random.chance(25)) table = addCheck(random, table);
  if (random.chance(20)) table = addGenerated(random, table);
  return table;
}

function plainColumn(name: string, type: string): ModelColumn {
  return { name, type, nullable: true, defaultSql: null, autoIncrement: false, generated: null, comment: '' };
}

function makeColumn(random: Random, name: string): ModelColumn {
  const type = random.pick(TYPES);
  const column = {
    ...plainColumn(name, type),
    nullable: random.chance(55),
    comment: random.chance(10) ? "it's" : '',
  };
  return random.chance(35) ? { ...column, defaultSql: defaultOf(type) } : column;
}

function defaultOf(type: string): string | null {
  if (isLong(type)) return null;
  if (NUMBER.test(type)) return '7';
  if (type === 'boolean') return '0';
  if (/^(enum)/.test(type)) return "'b'";
  if (/^set/.test(type)) return "'x'";
  if (/^datetime\(3\)/.test(type)) return 'CURRENT_TIMESTAMP(3)';
  if (/^datetime/.test(type)) return 'CURRENT_TIMESTAMP';
  if (type === 'date') return "'2020-02-02'";
  if (type === 'time') return "'01:02:03'";
  if (type === 'year') return "'2020'";
  return "'d'";
}

function freshName(prefix: string, taken: readonly string[], random: Random): string {
  for (;;) {
    const name = `${prefix}${random.below(900) + 100}`;
    if (!taken.includes(name)) return name;
  }
}

function addIndex(random: Random, table: ModelTable): ModelTable {
  const usable = table.columns
    .filter(
      (column) => !isLong(column.type) && column.generated?.kind !== 'VIRTUAL' && !/300/.test(column.type),
    )
    .map((column) => column.name);
  if (usable.length === 0) return table;
  const texts = table.columns
    .filter(
      (column) =>
        /^(text|varchar)/.test(column.type) && column.generated === null && !/latin1/.test(column.type),
    )
    .map((column) => column.name);
  const name = freshName(
    'k',
    table.indexes.map((index) => index.name),
    random,
  );
  if (texts.length > 0 && random.chance(15) && !table.indexes.some((index) => index.kind === 'FULLTEXT')) {
    return {
      ...table,
      indexes: [...table.indexes, { name, kind: 'FULLTEXT', columns: [random.pick(texts)] }],
    };
  }
  const columns = [...new Set([random.pick(usable), ...(random.chance(40) ? [random.pick(usable)] : [])])];
  return {
    ...table,
    indexes: [...table.indexes, { name, kind: random.chance(35) ? 'UNIQUE' : 'KEY', columns }],
  };
}

function addKey(random: Random, table: ModelTable, model: Model): ModelTable {
  const targets = model.flatMap((target) =>
    target.indexes
      .filter((index) => index.kind === 'PRIMARY' && index.columns.length === 1)
      .map((index) => ({ far: target, column: index.columns[0] ?? '' })),
  );
  if (targets.length === 0) return table;
  const { far: targetTable, column } = random.pick(targets);
  const type = targetTable.columns.find((entry) => entry.name === column)?.type ?? 'int';
  const onDelete = random.pick(['CASCADE', 'SET NULL', 'RESTRICT'] as const);
  const name = freshName(
    'r',
    table.columns.map((entry) => entry.name),
    random,
  );
  const own = { ...plainColumn(name, type), nullable: onDelete === 'SET NULL' || random.chance(60) };
  return {
    ...table,
    columns: [...table.columns, own],
    indexes: [...table.indexes, { name: `i_${name}`, kind: 'KEY', columns: [name] }],
    keys: [
      ...table.keys,
      { name: `f_${table.name}_${name}`, column: name, table: targetTable.name, far: column, onDelete },
    ],
  };
}

function addCheck(random: Random, table: ModelTable): ModelTable {
  const numbers = table.columns.filter(
    (column) =>
      NUMBER.test(column.type) &&
      !column.autoIncrement &&
      !table.keys.some((key) => key.column === column.name),
  );
  if (numbers.length === 0) return table;
  const name = `q_${table.name}_${random.below(1000)}`;
  return {
    ...table,
    checks: [
      ...table.checks.filter((check) => check.name !== name),
      { name, clause: `\`${random.pick(numbers).name}\` > ${random.below(3) - 5}` },
    ],
  };
}

function addGenerated(random: Random, table: ModelTable): ModelTable {
  const bases = table.columns.filter(
    (column) =>
      NUMBER.test(column.type) &&
      column.generated === null &&
      !column.autoIncrement &&
      !table.keys.some((key) => key.column === column.name),
  );
  if (bases.length === 0) return table;
  const name = freshName(
    'g',
    table.columns.map((entry) => entry.name),
    random,
  );
  const generated = {
    kind: random.pick(['VIRTUAL', 'STORED'] as const),
    expression: `\`${random.pick(bases).name}\` + 1`,
  };
  return { ...table, columns: [...table.columns, { ...plainColumn(name, 'bigint'), generated }] };
}

function changeOnce(random: Random, model: Model): Model {
  const what = random.below(100);
  if (what < 8 || model.length === 0)
    return [
      ...model,
      makeTable(
        random,
        freshName(
          'n',
          model.map((table) => table.name),
          random,
        ),
        model,
      ),
    ];
  if (what < 13) return model.filter((table) => table !== random.pick(model));
  const table = random.pick(model);
  return model.map((entry) => (entry === table ? changeTable(random, table, model) : entry));
}

function changeTable(random: Random, table: ModelTable, model: Model): ModelTable {
  const position = random.below(table.columns.length);
  const column = table.columns[position];
  const swap = (next: ModelColumn): ModelTable => ({
    ...table,
    columns: table.columns.map((entry) => (entry === column ? next : entry)),
  });
  if (column === undefined) return table;
  switch (random.below(15)) {
    case 0:
    case 1:
      return {
        ...table,
        columns: [
          ...table.columns.slice(0, position),
          makeColumn(
            random,
            freshName(
              'a',
              table.columns.map((entry) => entry.name),
              random,
            ),
          ),
          ...table.columns.slice(position),
        ],
      };
    case 2:
      return { ...table, columns: table.columns.filter((entry) => entry !== column) };
    case 3:
    case 4:
      return column.generated !== null
        ? table
        : swap({
            ...column,
            type: random.pick(column.autoIncrement ? KEY_TYPES.slice(0, 4) : TYPES),
            defaultSql: null,
          });
    case 5:
      return swap({ ...column, nullable: !column.nullable });
    case 6:
      return column.generated !== null
        ? table
        : swap({ ...column, defaultSql: column.defaultSql === null ? defaultOf(column.type) : null });
    case 7:
      return addIndex(random, table);
    case 8:
      return { ...table, indexes: table.indexes.filter((index) => index !== random.pick(table.indexes)) };
    case 9:
      return addKey(random, table, model);
    case 10:
      return { ...table, keys: table.keys.slice(1) };
    case 11:
      return random.chance(50) ? addCheck(random, table) : { ...table, checks: table.checks.slice(1) };
    case 12:
      return random.chance(60) ? addGenerated(random, table) : swap({ ...column, generated: null });
    case 13:
      return random.chance(50)
        ? { ...table, comment: table.comment === '' ? 'new' : '' }
        : swap({
            ...column,
            autoIncrement: !column.autoIncrement && /int/.test(column.type) && column.generated === null,
            defaultSql: null,
          });
    default:
      return { ...table, columns: [...table.columns.slice(position), ...table.columns.slice(0, position)] };
  }
}

/**
 * Repairs a changed model so that a server accepts it. If an object was removed, the objects that depend on
 * it are removed too. Columns joined by a foreign key get equal types.
 */
function repair(model: Model): Model {
  const tables = new Map(model.map((table) => [table.name, table]));
  const stripped = model.map((table) => {
    const names = new Set(table.columns.map((column) => column.name));
    const long = new Set(
      table.columns
        .filter((column) => isLong(column.type) || /300/.test(column.type))
        .map((column) => column.name),
    );
    const texts = new Set(
      table.columns
        .filter((column) => /^(text|varchar)/.test(column.type) && !/latin1/.test(column.type))
        .map((column) => column.name),
    );
    const virtual = new Set(
      table.columns.filter((column) => column.generated?.kind === 'VIRTUAL').map((column) => column.name),
    );
    const indexes = table.indexes.filter((index) =>
      index.columns.every(
        (name) =>
          names.has(name) &&
          !virtual.has(name) &&
          (index.kind === 'FULLTEXT' ? texts.has(name) : !long.has(name)),
      ),
    );
    return { ...table, indexes };
  });
  const joined = stripped.map((table) => ({
    ...table,
    keys: table.keys.filter((key) => isJoinable(key, table, stripped)),
  }));
  return joined.map((table) =>
    cleanUp({ ...table, columns: table.columns.map((column) => agree(column, table, joined, tables)) }),
  );
}

function isJoinable(key: ModelKey, table: ModelTable, model: Model): boolean {
  const own = table.columns.find((column) => column.name === key.column);
  const targetTable = model.find((entry) => entry.name === key.table);
  if (
    own === undefined ||
    targetTable === undefined ||
    own.generated !== null ||
    (key.onDelete === 'SET NULL' && !own.nullable)
  )
    return false;
  const isIndexed = targetTable.indexes.some(
    (index) =>
      (index.kind === 'PRIMARY' || index.kind === 'UNIQUE') &&
      index.columns.length === 1 &&
      index.columns[0] === key.far,
  );
  const target = targetTable.columns.find((column) => column.name === key.far);
  return (
    isIndexed &&
    target?.generated === null &&
    !isLong(target.type) &&
    table.indexes.some((index) => index.kind !== 'FULLTEXT' && index.columns[0] === key.column)
  );
}

/** Gives a column its target's type, directly or through other foreign keys. */
function agree(column: ModelColumn, table: ModelTable, model: Model, _all: unknown): ModelColumn {
  let [at, name] = [table, column.name];
  const seen = new Set<string>();
  for (;;) {
    const key = at.keys.find((entry) => entry.column === name);
    const next = key === undefined ? undefined : model.find((entry) => entry.name === key.table);
    if (key === undefined || next === undefined || seen.has(`${next.name}.${key.far}`)) break;
    seen.add(`${next.name}.${key.far}`);
    [at, name] = [next, key.far];
  }
  const type = at.columns.find((entry) => entry.name === name)?.type ?? column.type;
  return type === column.type ? column : { ...column, type, defaultSql: null };
}

function cleanUp(table: ModelTable): ModelTable {
  const types = new Map(table.columns.map((column) => [column.name, column.type]));
  const isNumber = (name: string): boolean => NUMBER.test(types.get(name) ?? '');
  const primary = new Set(table.indexes.find((index) => index.kind === 'PRIMARY')?.columns ?? []);
  const joined = new Set(table.keys.map((key) => key.column));
  let hasCounter = false;
  const plain = new Set(
    table.columns
      .filter((column) => column.generated === null && !column.autoIncrement && !joined.has(column.name))
      .map((column) => column.name),
  );
  const columns = table.columns.flatMap((column): ModelColumn[] => {
    const base = /`(\w+)`/.exec(column.generated?.expression ?? '')?.[1];
    if (column.generated !== null && (base === undefined || !isNumber(base) || !plain.has(base)))
      return [{ ...column, generated: null, type: 'bigint' }];
    const isLed = table.indexes.some(
      (index) => (index.kind === 'PRIMARY' || index.kind === 'UNIQUE') && index.columns[0] === column.name,
    );
    const autoIncrement =
      column.autoIncrement && isLed && !hasCounter && /int/.test(column.type) && !joined.has(column.name);
    hasCounter ||= autoIncrement;
    return [
      {
        ...column,
        autoIncrement,
        nullable: primary.has(column.name) || autoIncrement ? false : column.nullable,
        defaultSql: autoIncrement || isLong(column.type) ? null : column.defaultSql,
      },
    ];
  });
  // The last ordinary column of a table stays, because a table cannot have only generated columns.
  const checked = table.checks.filter(
    (check) =>
      isNumber(/`(\w+)`/.exec(check.clause)?.[1] ?? '') && plain.has(/`(\w+)`/.exec(check.clause)?.[1] ?? ''),
  );
  const retained = columns.length === 0 ? [plainColumn('only', 'int')] : columns;
  const indexes = table.indexes.filter(
    (index) =>
      index.kind !== 'PRIMARY' ||
      index.columns.every((name) => columns.find((column) => column.name === name)?.generated === null),
  );
  return { ...table, columns: retained, indexes, checks: checked };
}

/** Returns CREATE TABLE for each table, followed by all foreign keys. */
export function renderModel(model: Model): string[] {
  const tables = model.map((table) => {
    const lines = [
      ...table.columns.map(renderColumn),
      ...table.indexes.map(
        (index) =>
          `${index.kind === 'PRIMARY' ? 'PRIMARY KEY' : `${index.kind === 'KEY' ? 'KEY' : `${index.kind} KEY`} \`${index.name}\``} (${index.columns.map((name) => `\`${name}\``).join(', ')})`,
      ),
      ...table.checks.map((check) => `CONSTRAINT \`${check.name}\` CHECK (${check.clause})`),
    ];
    return `CREATE TABLE \`${table.name}\` (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci${table.comment === '' ? '' : ` COMMENT='${table.comment}'`}`;
  });
  const keys = model.flatMap((table) =>
    table.keys.map(
      (key) =>
        `ALTER TABLE \`${table.name}\` ADD CONSTRAINT \`${key.name}\` FOREIGN KEY (\`${key.column}\`) REFERENCES \`${key.table}\` (\`${key.far}\`) ON DELETE ${key.onDelete}`,
    ),
  );
  return [...tables, ...keys];
}

function renderColumn(column: ModelColumn): string {
  const comment = column.comment === '' ? '' : ` COMMENT '${column.comment.replaceAll("'", "''")}'`;
  if (column.generated !== null)
    return `\`${column.name}\` ${column.type} GENERATED ALWAYS AS (${column.generated.expression}) ${column.generated.kind}${comment}`;
  const fallback = column.defaultSql === null ? '' : ` DEFAULT ${column.defaultSql}`;
  return `\`${column.name}\` ${column.type} ${column.nullable ? 'NULL' : 'NOT NULL'}${fallback}${column.autoIncrement ? ' AUTO_INCREMENT' : ''}${comment}`;
}

/** Returns rows for a model's tables. The caller skips a row that the server rejects. */
export function makeRows(random: Random, model: Model): string[] {
  const statements: string[] = [];
  for (const table of model) {
    const columns = table.columns.filter((column) => column.generated === null);
    for (let row = 1; row <= 6; row += 1) {
      const values = columns.map((column) =>
        column.nullable && random.chance(25) ? 'NULL' : valueOf(random, column.type, row),
      );
      statements.push(
        `INSERT INTO \`${table.name}\` (${columns.map((column) => `\`${column.name}\``).join(', ')}) VALUES (${values.join(', ')})`,
      );
    }
  }
  return statements;
}

function valueOf(random: Random, type: string, row: number): string {
  if (/^(bigint|int)/.test(type)) return random.chance(80) ? String(row) : String(random.below(100_000));
  if (/^smallint/.test(type)) return String(row);
  if (/^decimal/.test(type)) return `${random.below(90_000_000)}.${random.below(100)}`;
  if (type === 'double') return `${random.below(1000)}.5`;
  if (type === 'boolean') return String(random.below(2));
  if (/^(enum|set)/.test(type))
    return random
      .pick(["'a'", "'b'"])
      .replace(/a|b/, (label) => (type.startsWith('set') ? (label === 'a' ? 'x' : 'y') : label));
  if (type === 'json') return `'{"n": ${row}}'`;
  if (type === 'date') return `'20${10 + row}-01-0${row}'`;
  if (/^datetime/.test(type)) return `'20${10 + row}-01-0${row} 10:00:0${row}'`;
  if (type === 'time') return `'0${row}:00:00'`;
  if (type === 'year') return `'201${row}'`;
  if (type === 'binary(8)') return "'abcdefgh'";
  if (type === 'char(5)') return `'c${row}'`;
  return random.pick([`'${row}'`, `'text ${row}'`, `'${'long '.repeat(random.below(12))}${row}'`]);
}
