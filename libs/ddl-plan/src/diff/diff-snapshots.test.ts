import type { Table } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { diffSnapshots } from './diff-snapshots.js';
import { lineageOfHints } from '../lineage/lineage.js';
import { makeSnapshot, makeTable, makeView } from '../testing/make-schema.js';
import type { RenameHint } from '../types.js';

const users = makeTable('users', [
  'id int NOT NULL AUTO_INCREMENT',
  'name varchar(50) NOT NULL',
  'PRIMARY KEY (id)',
]);

function change(from: readonly string[], to: readonly string[], hints: readonly RenameHint[] = []) {
  const others: Table[] = [users];
  const [before, after] = [
    makeSnapshot(...others, makeTable('t', from)),
    makeSnapshot(...others, makeTable('t', to)),
  ];
  const { steps, loss } = diffSnapshots(
    before,
    after,
    hints.length === 0 ? null : lineageOfHints(before, after, hints),
  );
  return { steps, loss, brief: steps.map((step) => [step.class, step.beforePublish, step.afterPublish]) };
}
const ID = ['id int NOT NULL', 'PRIMARY KEY (id)'];

describe('diffSnapshots on one table', () => {
  it('diffSnapshots returns no steps for tables that differ only in the order of keys', () => {
    expect(
      change([...ID, 'a int', 'KEY x (a)', 'KEY b (a)'], [...ID, 'a int', 'KEY b (a)', 'KEY x (a)']).steps,
    ).toEqual([]);
  });
  it('a plan adds columns at their positions by one statement before publishing', () => {
    const { brief } = change(
      ['id int NOT NULL', 'b int'],
      ['z int', 'id int NOT NULL', 'a varchar(10)', 'b int', 'c int NOT NULL DEFAULT 3'],
    );
    expect(brief).toEqual([
      [
        'widen',
        'ALTER TABLE `t` ADD COLUMN `z` int FIRST, ADD COLUMN `a` varchar(10) AFTER `id`, ADD COLUMN `c` int NOT NULL DEFAULT 3',
        null,
      ],
    ]);
  });
  it('a plan adds a required column with a default that is dropped after publishing', () => {
    expect(
      change(['id int NOT NULL'], ['id int NOT NULL', 'a varchar(10) NOT NULL', 'n int NOT NULL']).brief,
    ).toEqual([
      [
        'add_required',
        "ALTER TABLE `t` ADD COLUMN `a` varchar(10) NOT NULL DEFAULT '', ADD COLUMN `n` int NOT NULL DEFAULT 0",
        'ALTER TABLE `t` ALTER COLUMN `a` DROP DEFAULT, ALTER COLUMN `n` DROP DEFAULT',
      ],
    ]);
  });
  it('a plan drops a column after publishing and first gives a required one a default', () => {
    const { brief, loss } = change(['id int NOT NULL', 'a int NOT NULL', 'b int'], ['id int NOT NULL']);
    expect(brief).toEqual([
      [
        'drop',
        'ALTER TABLE `t` ALTER COLUMN `a` SET DEFAULT 0',
        'ALTER TABLE `t` DROP COLUMN `a`, DROP COLUMN `b`',
      ],
    ]);
    expect(loss).toEqual(['column t.a with its values', 'column t.b with its values']);
  });
  it('a plan widens columns before publishing and narrows them after it, with a row check', () => {
    const { brief, steps } = change(
      ['a varchar(10)', 'b varchar(10)', 'c int', 'd smallint(6)'],
      ['a varchar(20)', 'b varchar(5)', 'c int NOT NULL', 'd int(11)'],
    );
    expect(brief).toEqual([
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `a` varchar(20), MODIFY COLUMN `d` int(11)', null],
      ['tighten', null, 'ALTER TABLE `t` MODIFY COLUMN `b` varchar(5), MODIFY COLUMN `c` int NOT NULL'],
    ]);
    expect(steps[1]?.rowChecks).toEqual([
      {
        problem: 't.b contains values longer than varchar(5)',
        sql: 'SELECT `a`, `b` FROM `t` WHERE CHAR_LENGTH(`b`) > 5 LIMIT 5',
        shows: ['a', 'b'],
      },
      {
        problem: 't.c contains NULL',
        sql: 'SELECT `a`, `c` FROM `t` WHERE `c` IS NULL LIMIT 5',
        shows: ['a', 'c'],
      },
    ]);
  });
  it('a plan reports what values lose by a shorter decimal, fewer labels or another type', () => {
    const from = ['a decimal(10,4)', "b enum('x','y')", 'c varchar(10)'];
    const { brief, loss, steps } = change(from, ['a decimal(10,2)', "b enum('x')", 'c int']);
    expect(brief.map((entry) => entry[0])).toEqual(['retype', 'tighten']);
    expect(loss).toEqual([
      't.c: values that int cannot store exactly (was varchar(10))',
      't.a: digits after decimal place 2',
    ]);
    expect(steps[1]?.rowChecks.map((check) => check.sql)).toEqual([
      "SELECT `a`, `b` FROM `t` WHERE `b` IN ('y') LIMIT 5",
    ]);
  });
  it('a row check of a plan finds numbers that do not fit after rounding', () => {
    expect(
      change(['a decimal(4,2)'], ['a decimal(3,1)']).steps[0]?.rowChecks.map((check) => check.sql),
    ).toEqual(['SELECT `a` FROM `t` WHERE ABS(ROUND(`a`, 1)) >= 1e2 LIMIT 5']);
    expect(change(['a varchar(9)'], ['a decimal(3,1)']).steps[0]?.rowChecks[0]?.sql).toContain(
      'OR ABS(ROUND(CAST(`a` AS DOUBLE), 1)) >= 1e2 LIMIT 5',
    );
    expect(change(['a decimal(4,2)'], ['a decimal(5,1)']).steps[0]?.rowChecks).toEqual([]);
  });
  it('a plan removes a default in a step after publishing', () => {
    expect(change(['a int NOT NULL DEFAULT 1'], ['a int NOT NULL']).brief[0]?.[0]).toBe('tighten');
  });
  it('a plan adds plain keys before publishing and unique keys after it', () => {
    const { brief, steps } = change(
      ['a int', 'b int', 'KEY old (a)'],
      ['a int', 'b int', 'UNIQUE KEY u (a,b)', 'KEY k (b)'],
    );
    expect(brief).toEqual([
      ['widen', 'ALTER TABLE `t` ADD KEY `k` (`b`)', null],
      ['tighten', null, 'ALTER TABLE `t` DROP KEY `old`, ADD UNIQUE KEY `u` (`a`,`b`)'],
    ]);
    expect(steps[1]?.rowChecks[0]?.sql).toBe(
      'SELECT MIN(`a`) AS `a`, MIN(`b`) AS `b` FROM `t` WHERE `a` IS NOT NULL AND `b` IS NOT NULL GROUP BY `a`, `b` HAVING COUNT(*) > 1 LIMIT 5',
    );
  });
  it('a plan adds a key with a reused name in the statement that drops the old key', () => {
    expect(
      change(['a int', 'b int', 'KEY k (a)'], ['a int', 'b int', 'UNIQUE KEY u (a)', 'KEY k (b)']).brief,
    ).toEqual([
      ['tighten', null, 'ALTER TABLE `t` DROP KEY `k`, ADD KEY `k` (`b`), ADD UNIQUE KEY `u` (`a`)'],
    ]);
  });
  it('a plan renames an index that differs only in its name, since a foreign key may need it', () => {
    const { brief } = change([...ID, 'a int', 'UNIQUE KEY x (a)'], [...ID, 'a int', 'UNIQUE KEY y (a)']);
    expect(brief).toEqual([['widen', 'ALTER TABLE `t` RENAME INDEX `x` TO `y`', null]]);
  });
  it('a plan drops a unique key before publishing, because that only loosens the schema', () => {
    expect(change(['a int', 'UNIQUE KEY u (a)'], ['a int']).brief).toEqual([
      ['widen', 'ALTER TABLE `t` DROP KEY `u`', null],
    ]);
  });
  it('a plan adds foreign keys and checks one by one after publishing, and drops them before', () => {
    const { brief, steps } = change(
      ['u int', 'KEY u (u)', 'CONSTRAINT c1 CHECK (u > 1)'],
      [
        'u int',
        'KEY u (u)',
        'CONSTRAINT c2 CHECK (u > 2)',
        'CONSTRAINT f FOREIGN KEY (u) REFERENCES users (id)',
      ],
    );
    expect(brief).toEqual([
      ['widen', 'ALTER TABLE `t` DROP CONSTRAINT `c1`', null],
      ['tighten', null, 'ALTER TABLE `t` ADD CONSTRAINT `c2` CHECK (u > 2)'],
      ['tighten', null, 'ALTER TABLE `t` ADD CONSTRAINT `f` FOREIGN KEY (`u`) REFERENCES `users` (`id`)'],
    ]);
    expect(steps[2]?.rowChecks[0]?.sql).toBe(
      'SELECT c.`u` FROM `t` c LEFT JOIN `users` p ON p.`id` = c.`u` WHERE c.`u` IS NOT NULL AND p.`id` IS NULL LIMIT 5',
    );
  });
  it('a plan changes a primary key together with all of its columns in one statement', () => {
    expect(
      change(
        ['id int NOT NULL', 'PRIMARY KEY (id)'],
        ['id int NOT NULL', 'b int NOT NULL', 'PRIMARY KEY (id,b)'],
      ).brief,
    ).toEqual([
      [
        'retype',
        'ALTER TABLE `t` ADD COLUMN `b` int NOT NULL, DROP PRIMARY KEY, ADD PRIMARY KEY (`id`,`b`)',
        null,
      ],
    ]);
  });
  it('a plan drops a column whose expression changes and adds it again at its position', () => {
    expect(
      change(
        ['id int NOT NULL', 'g int GENERATED ALWAYS AS (id) VIRTUAL', 'z int'],
        ['id int NOT NULL', 'g int', 'z int'],
      ).brief,
    ).toEqual([['retype', 'ALTER TABLE `t` DROP COLUMN `g`, ADD COLUMN `g` int AFTER `id`', null]]);
  });
  it('a plan moves as few columns as possible', () => {
    expect(change(['a int', 'b int', 'c int'], ['c int', 'a int', 'b int']).brief).toEqual([
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `c` int FIRST', null],
    ]);
  });
  it('a plan contains a rename step only for a requested rename', () => {
    const from = ['id int NOT NULL', 'a int', 'KEY a (a)'];
    const to = ['id int NOT NULL', 'b int', 'KEY a (b)'];
    expect(change(from, to).brief.map((entry) => entry[0])).toEqual(['widen', 'widen', 'drop']);
    expect(change(from, to, [{ kind: 'column', table: 't', from: 'a', to: 'b' }]).brief).toEqual([
      ['rename', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`', null],
    ]);
  });
  it('a check name that MySQL chose during a rebuild is not a schema change', () => {
    const by = (name: string): string[] => [...ID, 'a int', `CONSTRAINT ${name} CHECK (a > 0)`];
    expect(change(by('t_chk_900'), by('a_range')).steps).toEqual([]);
    expect(change(by('t_chk_1'), by('a_range')).steps).not.toEqual([]);
    expect(
      change(by('t_chk_900'), [...ID, 'a int', 'CONSTRAINT a_range CHECK (a > 1)']).steps.map(
        (step) => step.sql,
      ),
    ).toEqual([
      'ALTER TABLE `t` DROP CONSTRAINT `t_chk_900`',
      'ALTER TABLE `t` ADD CONSTRAINT `a_range` CHECK (a > 1)',
    ]);
  });
  it('a plan removes AUTO_INCREMENT together with its key', () => {
    expect(
      change(['id int NOT NULL AUTO_INCREMENT', 'a int', 'UNIQUE KEY i (id)'], ['id int NOT NULL', 'a int'])
        .brief,
    ).toEqual([['tighten', null, 'ALTER TABLE `t` MODIFY COLUMN `id` int NOT NULL, DROP KEY `i`']]);
    expect(change(['a int'], ['a int', 'id int NOT NULL AUTO_INCREMENT', 'UNIQUE KEY i (id)']).brief).toEqual(
      [
        [
          'retype',
          'ALTER TABLE `t` ADD COLUMN `id` int NOT NULL AUTO_INCREMENT, ADD UNIQUE KEY `i` (`id`)',
          null,
        ],
      ],
    );
    expect(
      change(
        ['id int NOT NULL AUTO_INCREMENT', 'a int NOT NULL', 'PRIMARY KEY (id)'],
        ['a int NOT NULL', 'PRIMARY KEY (a)'],
      ).brief,
    ).toEqual([
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `id` int NOT NULL', null],
      ['retype', 'ALTER TABLE `t` DROP PRIMARY KEY, ADD PRIMARY KEY (`a`)', null],
      ['drop', 'ALTER TABLE `t` ALTER COLUMN `id` SET DEFAULT 0', 'ALTER TABLE `t` DROP COLUMN `id`'],
    ]);
  });
  it('a plan adds AUTO_INCREMENT without further keys when a key of the column stays', () => {
    expect(
      change(ID, ['id int NOT NULL AUTO_INCREMENT', 'd int NOT NULL', 'PRIMARY KEY (id)', 'KEY u (id,d)'])
        .brief,
    ).toEqual([
      ['retype', 'ALTER TABLE `t` MODIFY COLUMN `id` int NOT NULL AUTO_INCREMENT', null],
      [
        'add_required',
        expect.stringContaining('ADD COLUMN `d`'),
        'ALTER TABLE `t` ALTER COLUMN `d` DROP DEFAULT',
      ],
      ['widen', 'ALTER TABLE `t` ADD KEY `u` (`id`,`d`)', null],
    ]);
  });
  it('a plan adds the only key of an AUTO_INCREMENT column with the new columns of the key', () => {
    expect(
      change(
        ['id int NOT NULL', 'a int'],
        ['id int NOT NULL AUTO_INCREMENT', 'a int', 'd int NOT NULL', 'KEY u (id,d)'],
      ).brief,
    ).toEqual([
      [
        'retype',
        'ALTER TABLE `t` MODIFY COLUMN `id` int NOT NULL AUTO_INCREMENT, ADD COLUMN `d` int NOT NULL, ADD KEY `u` (`id`,`d`)',
        null,
      ],
    ]);
  });
  it('a plan gives a foreign key a temporary index while its unique key loses a dropped column', () => {
    const key = 'CONSTRAINT f FOREIGN KEY (r) REFERENCES users (id)';
    expect(
      change([...ID, 'r int', 'h int', 'UNIQUE KEY u (r,h)', key], [...ID, 'r int', 'UNIQUE KEY u (r)', key])
        .brief,
    ).toEqual([
      ['widen', 'ALTER TABLE `t` ADD KEY `f_tmp1` (`r`)', null],
      ['widen', 'ALTER TABLE `t` DROP KEY `u`', null],
      ['tighten', null, 'ALTER TABLE `t` DROP KEY `f_tmp1`, ADD UNIQUE KEY `u` (`r`)'],
      ['drop', null, 'ALTER TABLE `t` DROP COLUMN `h`'],
    ]);
  });
  it('a plan moves and changes a column by one clause', () => {
    expect(change(['a int', 'b int'], ['b bigint', 'a int']).brief).toEqual([
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `b` bigint FIRST', null],
    ]);
  });
  it('a plan retains a dropped column as an invisible column with a default and without its check', () => {
    const { steps } = change(
      [
        ...ID,
        'n int NOT NULL',
        "s varchar(9) NOT NULL DEFAULT 'x' CHECK (s <> '')",
        'u int NOT NULL CHECK (`u` > 1)',
      ],
      ID,
    );
    expect(steps[0]?.beforePublish).toBe(
      'ALTER TABLE `t` ALTER COLUMN `n` SET DEFAULT 0, MODIFY COLUMN `u` int NOT NULL DEFAULT 0',
    );
    expect(steps[0]?.intent).toEqual({
      kind: 'keep_columns',
      details: {
        dropSpecs: [],
        columns: [
          { name: 'n', definition: 'int NOT NULL DEFAULT 0 INVISIBLE' },
          { name: 's', definition: "varchar(9) NOT NULL DEFAULT 'x' INVISIBLE" },
          { name: 'u', definition: 'int NOT NULL DEFAULT 0 INVISIBLE' },
        ],
      },
    });
  });
});

describe('the online rebuild of a table', () => {
  const rebuildOf = (from: readonly string[], to: readonly string[]) =>
    change(from, to).steps.map((step) => (step.intent.kind === 'alter' ? step.intent.rebuild : null));

  it('an online rebuild copies rows by the primary key, or by the smallest unique NOT NULL key', () => {
    expect(rebuildOf([...ID, 'a int'], [...ID, 'a bigint'])).toEqual([
      {
        table: 't',
        specs: 'MODIFY COLUMN `a` bigint',
        key: ['id'],
        shadowKey: ['id'],
        columns: [
          { from: 'id', to: 'id' },
          { from: 'a', to: 'a' },
        ],
      },
    ]);
    const keyed = (type: string) => [
      'x int NOT NULL',
      'y int',
      'z int NOT NULL',
      `a ${type}`,
      'UNIQUE KEY two (x,z)',
      'UNIQUE KEY one (z)',
      'UNIQUE KEY nul (y)',
    ];
    expect(rebuildOf(keyed('int'), keyed('bigint'))[0]?.key).toEqual(['z']);
  });
  it('no online rebuild is planned without a key that exists before and after', () => {
    expect(rebuildOf(['a int', 'b int'], ['a bigint', 'b int'])).toEqual([null]);
    expect(
      rebuildOf(
        [...ID, 'b int NOT NULL', 'UNIQUE KEY b (b)'],
        ['id int NOT NULL', 'b int NOT NULL', 'PRIMARY KEY (b)', 'KEY i (id)'],
      )[0]?.key,
    ).toEqual(['b']);
  });
  it('an online rebuild copies no generated, added or dropped columns', () => {
    const [first] = rebuildOf(
      [...ID, 'g int GENERATED ALWAYS AS (id) VIRTUAL', 'a int'],
      [...ID, 'g int GENERATED ALWAYS AS (id) VIRTUAL', 'a bigint', 'n int'],
    );
    expect(first?.columns.map((column) => column.to)).toEqual(['id', 'a']);
  });
});

describe('types that foreign keys join', () => {
  const parent = (type: string) => makeTable('parent', [`id ${type} NOT NULL`, 'a int', 'PRIMARY KEY (id)']);
  const child = (type: string, more = 'PRIMARY KEY (id)') =>
    makeTable(
      'child',
      [
        'id int NOT NULL',
        `parent_id ${type}`,
        more,
        'CONSTRAINT f FOREIGN KEY (parent_id) REFERENCES parent (id)',
      ].filter((line) => line !== ''),
    );
  const other = makeTable('other', [...ID, 'c int', 'CONSTRAINT o FOREIGN KEY (c) REFERENCES child (id)']);

  it('columns joined by foreign keys change together in one step that names their keys', () => {
    const { steps } = diffSnapshots(
      makeSnapshot(parent('int'), child('int'), other),
      makeSnapshot(parent('bigint'), child('bigint'), other),
    );
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({
      kind: 'alter_family',
      table: 'parent',
      class: 'widen',
      afterPublish: null,
    });
    const { intent } = steps[0]!;
    if (intent.kind !== 'family') throw new Error(intent.kind);
    expect(intent.details.tables.map((table) => [table.table, table.specs, table.key])).toEqual([
      ['parent', 'MODIFY COLUMN `id` bigint NOT NULL', ['id']],
      ['child', 'MODIFY COLUMN `parent_id` bigint', ['id']],
    ]);
    expect(intent.details.foreignKeys.map((key) => [key.table, key.name, key.isMember])).toEqual([
      ['child', 'f', true],
      ['other', 'o', false],
    ]);
    expect(intent.details.script.map((sql) => sql.slice(0, 39))).toEqual([
      'ALTER TABLE `child` DROP FOREIGN KEY `f',
      'ALTER TABLE `other` DROP FOREIGN KEY `o',
      'ALTER TABLE `parent` MODIFY COLUMN `id`',
      'ALTER TABLE `child` MODIFY COLUMN `pare',
      'ALTER TABLE `child` ADD CONSTRAINT `f` ',
      'ALTER TABLE `other` ADD CONSTRAINT `o` ',
    ]);
  });
  it('joined columns are narrowed after publishing, and one without a key is listed', () => {
    const { steps } = diffSnapshots(
      makeSnapshot(parent('bigint'), child('bigint', '')),
      makeSnapshot(parent('int'), child('int', '')),
    );
    expect(steps[0]).toMatchObject({
      class: 'tighten',
      beforePublish: null,
      intent: { kind: 'family', details: { keyless: ['child'] } },
    });
    expect(steps[0]?.rowChecks.map((check) => check.problem)).toEqual([
      'parent.id contains numbers outside the range of int',
      'child.parent_id contains numbers outside the range of int',
    ]);
  });
  it.each([
    ['varchar(20)', 'varchar(60)', 'mysql', false],
    ['varchar(300)', 'varchar(400)', 'mysql', false],
    ['varchar(20)', 'varchar(70)', 'mysql', true],
    ['varchar(60)', 'varchar(20)', 'mysql', true],
    ['char(20)', 'varchar(20)', 'mysql', true],
    ['varchar(20)', 'varchar(60)', 'mariadb', true],
  ] as const)(
    'changing joined columns from %s to %s on %s is one step over several tables: %s',
    (from, to, engine, isFamily) => {
      const [before, after] = [
        makeSnapshot(parent(from), child(from)),
        makeSnapshot(parent(to), child(to)),
      ].map((snapshot) => ({ ...snapshot, engine }));
      expect(diffSnapshots(before!, after!).steps.map((step) => step.kind)).toEqual(
        isFamily ? ['alter_family'] : ['alter_table', 'alter_table'],
      );
    },
  );
  it('a joined column loses AUTO_INCREMENT before its primary key is dropped', () => {
    const counter = (...lines: string[]) => makeTable('parent', ['a int NOT NULL', 'KEY i (id)', ...lines]);
    const before = makeSnapshot(counter('id int NOT NULL AUTO_INCREMENT', 'PRIMARY KEY (id)'), child('int'));
    const after = makeSnapshot(counter('id int NOT NULL', 'PRIMARY KEY (a)'), child('int'));
    expect(
      diffSnapshots(before, after).steps.map((step) => [step.kind, step.class, step.beforePublish]),
    ).toEqual([
      ['alter_family', 'retype', 'ALTER TABLE `parent` MODIFY COLUMN `id` int NOT NULL;\n'],
      ['alter_table', 'retype', 'ALTER TABLE `parent` DROP PRIMARY KEY, ADD PRIMARY KEY (`a`)'],
    ]);
  });
  it('joined columns change separately when the plan first drops their foreign key', () => {
    const free = makeTable('child', ['id int NOT NULL', 'parent_id int', 'PRIMARY KEY (id)']);
    const { steps } = diffSnapshots(
      makeSnapshot(parent('int'), child('int')),
      makeSnapshot(parent('bigint'), free),
    );
    expect(steps.map((step) => step.sql)).toEqual([
      'ALTER TABLE `child` DROP FOREIGN KEY `f`',
      'ALTER TABLE `parent` MODIFY COLUMN `id` bigint NOT NULL',
    ]);
  });
});

describe('diffSnapshots on several tables', () => {
  const posts = makeTable('posts', [
    ...ID,
    'user_id int',
    'KEY user_id (user_id)',
    'CONSTRAINT p FOREIGN KEY (user_id) REFERENCES users (id)',
  ]);

  it('a plan creates tables in foreign-key order and drops them in reverse order', () => {
    const created = diffSnapshots(makeSnapshot(), makeSnapshot(posts, users));
    expect(created.steps.map((step) => `${step.kind} ${step.table}`)).toEqual([
      'create_table users',
      'create_table posts',
    ]);
    const dropped = diffSnapshots(makeSnapshot(posts, users), makeSnapshot());
    expect(dropped.steps.map((step) => [step.table, step.beforePublish, step.afterPublish])).toEqual([
      ['posts', null, 'DROP TABLE `posts`'],
      ['users', null, 'DROP TABLE `users`'],
    ]);
    expect(dropped.loss).toEqual(['table posts with all its rows', 'table users with all its rows']);
  });
  it('a plan adds the last foreign key of a cycle when all tables exist', () => {
    const a = makeTable('a', [...ID, 'b_id int', 'CONSTRAINT ab FOREIGN KEY (b_id) REFERENCES b (id)']);
    const b = makeTable('b', [...ID, 'a_id int', 'CONSTRAINT ba FOREIGN KEY (a_id) REFERENCES a (id)']);
    const { steps } = diffSnapshots(makeSnapshot(), makeSnapshot(a, b));
    expect(steps.map((step) => step.table)).toEqual(['a', 'b', 'a']);
    expect(steps[0]?.sql).not.toContain('FOREIGN KEY');
    expect(steps[2]?.sql).toBe(
      'ALTER TABLE `a` ADD CONSTRAINT `ab` FOREIGN KEY (`b_id`) REFERENCES `b` (`id`)',
    );
  });
  it('a plan adds a foreign key to a new unique key after that key', () => {
    const before = makeTable('u', [...ID, 'code int NOT NULL']);
    const after = makeTable('u', [...ID, 'code int NOT NULL', 'UNIQUE KEY code (code)']);
    const child = makeTable('c', [...ID, 'code int', 'CONSTRAINT cc FOREIGN KEY (code) REFERENCES u (code)']);
    const { steps } = diffSnapshots(makeSnapshot(before), makeSnapshot(after, child));
    expect(steps.map((step) => [step.table, step.afterPublish])).toEqual([
      ['c', null],
      ['u', 'ALTER TABLE `u` ADD UNIQUE KEY `code` (`code`)'],
      ['c', 'ALTER TABLE `c` ADD CONSTRAINT `cc` FOREIGN KEY (`code`) REFERENCES `u` (`code`)'],
    ]);
  });
  it('an AUTO_INCREMENT column that loses the primary key gets another key in the same statement', () => {
    const columns = ['id int NOT NULL AUTO_INCREMENT', 'code int NOT NULL'];
    expect(
      change([...columns, 'PRIMARY KEY (id)'], [...columns, 'PRIMARY KEY (code)', 'UNIQUE KEY by_id (id)'])
        .brief,
    ).toEqual([
      [
        'retype',
        'ALTER TABLE `t` DROP PRIMARY KEY, ADD PRIMARY KEY (`code`), ADD UNIQUE KEY `by_id` (`id`)',
        null,
      ],
    ]);
  });
  it("a plan that converts a table's character set includes its text columns", () => {
    const make = (collation: string): Table => {
      const table = makeTable(
        't',
        [...ID, 'name varchar(50) NOT NULL'],
        `ENGINE=InnoDB COLLATE=${collation}`,
      );
      return {
        ...table,
        columns: table.columns.map((column) =>
          column.name === 'name' ? { ...column, charset: 'utf8mb4', collation } : column,
        ),
      };
    };
    const { steps } = diffSnapshots(
      makeSnapshot(make('utf8mb4_unicode_ci')),
      makeSnapshot(make('utf8mb4_general_ci')),
    );
    expect(steps.map((step) => [step.class, step.sql])).toEqual([
      ['widen', 'ALTER TABLE `t` COLLATE=utf8mb4_general_ci'],
      ['retype', 'ALTER TABLE `t` MODIFY COLUMN `name` varchar(50) NOT NULL'],
    ]);
  });
  it('a plan renames a table together with the foreign keys that reference it', () => {
    const people = {
      ...makeTable('people', [
        'id int NOT NULL AUTO_INCREMENT',
        'name varchar(50) NOT NULL',
        'PRIMARY KEY (id)',
      ]),
    };
    const moved = makeTable('posts', [
      ...ID,
      'user_id int',
      'KEY user_id (user_id)',
      'CONSTRAINT p FOREIGN KEY (user_id) REFERENCES people (id)',
    ]);
    const [before, after] = [makeSnapshot(posts, users), makeSnapshot(moved, people)];
    const { steps } = diffSnapshots(
      before,
      after,
      lineageOfHints(before, after, [{ kind: 'table', from: 'users', to: 'people' }]),
    );
    expect(steps.map((step) => step.sql)).toEqual(['ALTER TABLE `users` RENAME TO `people`']);
  });
  it('a plan expects the server to rename generated key names after a table rename', () => {
    const own = (name: string) =>
      makeTable(name, [
        ...ID,
        'user_id int',
        `CONSTRAINT ${name}_ibfk_1 FOREIGN KEY (user_id) REFERENCES users (id)`,
      ]);
    const [before, after] = [makeSnapshot(own('posts'), users), makeSnapshot(own('articles'), users)];
    const { steps } = diffSnapshots(
      before,
      after,
      lineageOfHints(before, after, [{ kind: 'table', from: 'posts', to: 'articles' }]),
    );
    expect(steps.map((step) => step.sql)).toEqual(['ALTER TABLE `posts` RENAME TO `articles`']);
  });
  it('a plan creates views after the tables they read, and drops views after publishing', () => {
    const view = makeView('v', 'select `w`.`id` AS `id` from `w`', ['id']);
    const inner = makeView('w', 'select `users`.`id` AS `id` from `users`', ['id']);
    expect(
      diffSnapshots(makeSnapshot(), makeSnapshot(users, view, inner)).steps.map((step) => step.table),
    ).toEqual(['users', 'w', 'v']);
    const removed = diffSnapshots(makeSnapshot(users, view, inner), makeSnapshot(users));
    expect(removed.steps.map((step) => step.afterPublish)).toEqual(['DROP VIEW `v`', 'DROP VIEW `w`']);
    const changed = makeView('w', 'select `users`.`id` AS `id`,1 AS `one` from `users`', ['id', 'one']);
    expect(
      diffSnapshots(makeSnapshot(users, inner), makeSnapshot(users, changed)).steps.map(
        (step) => step.beforePublish,
      ),
    ).toEqual([changed.createSql.replace('CREATE ', 'CREATE OR REPLACE ')]);
  });
  it('the impact of a plan lists what API clients notice', () => {
    const after = makeTable('users', [
      'id int NOT NULL AUTO_INCREMENT',
      'nick varchar(50)',
      'PRIMARY KEY (id)',
    ]);
    const { impact } = diffSnapshots(
      makeSnapshot(users),
      makeSnapshot(after, makeTable('log', ['at datetime'])),
    );
    expect(impact).toEqual({
      added: ['GET /log', 'POST /log', 'users.nick'],
      removed: ['users.name'],
      changed: [],
      usedBy: [],
    });
  });
});
