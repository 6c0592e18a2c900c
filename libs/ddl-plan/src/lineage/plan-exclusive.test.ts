import type { Snapshot, Table } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { diffSnapshots } from '../diff/diff-snapshots.js';
import { findInRenames } from '../find-uses.js';
import { planRevert } from '../plan-revert.js';
import { makeSnapshot, makeTable, makeView } from '../testing/make-schema.js';
import type { ExclusiveDetails, SoftDeletedObject, SnapshotDiff } from '../types.js';
import { lineageBetween, nameStateOf, type Lineage } from './lineage.js';
import { IdentitySource, type NameChange } from './name-state.js';
import { NameTracker } from './name-tracker.js';
import { listChecked } from './predict-checks.js';

const ID = ['id int NOT NULL', 'PRIMARY KEY (id)'];
const t = (...lines: string[]): Table => makeTable('t', [...ID, ...lines]);
const move = (from: string, to: string): NameChange => ({ kind: 'rename_table', from, to, ifExists: false });
/** Creates an ALTER from a short notation: `a>b` renames, `-a` drops and `+a` adds a column. */
const alter = (table: string, ...columns: string[]): NameChange => ({
  kind: 'alter_table',
  table,
  ifExists: false,
  renameTo: null,
  columns: columns.map((text) => {
    const [from = '', to = ''] = text.split('>');
    if (to !== '') return { kind: 'rename', from, to, ifExists: false };
    return text.startsWith('-')
      ? { kind: 'drop', name: text.slice(1), ifExists: false }
      : { kind: 'add', name: text.slice(1), ifNotExists: false };
  }),
});
const drop = (...names: string[]): NameChange => ({ kind: 'drop', names, ifExists: false });
const create = (table: string, ...columns: string[]): NameChange => ({
  kind: 'create_table',
  table,
  orReplace: false,
  ifNotExists: false,
  columns,
});

function trace(before: Snapshot, after: Snapshot, changes: readonly NameChange[]): Lineage {
  const ids = new IdentitySource();
  const state = nameStateOf(before, ids);
  const tracker = new NameTracker(state, ids, 'apply');
  for (const change of changes) tracker.apply(change);
  const { state: reached, differing } = tracker.adopt(after, true);
  expect(differing).toBeNull();
  return lineageBetween(state, reached);
}

const plan = (before: Snapshot, after: Snapshot, ...changes: NameChange[]): SnapshotDiff =>
  diffSnapshots(before, after, trace(before, after, changes));
const brief = (diff: SnapshotDiff) =>
  diff.steps.map((step) =>
    step.intent.kind === 'exclusive'
      ? ['exclusive', ...step.intent.details.script]
      : [step.class, step.beforePublish ?? step.afterPublish],
  );
function detailsOf(diff: SnapshotDiff): ExclusiveDetails {
  const input = diff.steps.find((step) => step.class === 'exclusive')?.intent;
  if (input?.kind !== 'exclusive') throw new Error('no exclusive step');
  return input.details;
}

describe('a plan in which a name passes to another object', () => {
  it('a plan swaps column names in one statement and changes the types later', () => {
    const before = makeSnapshot(t('a int', 'b varchar(9)'));
    expect(brief(plan(before, makeSnapshot(t('b int', 'a varchar(9)')), alter('t', 'a>b', 'b>a')))).toEqual([
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`, RENAME COLUMN `b` TO `a`'],
    ]);
    const retyped = plan(before, makeSnapshot(t('b bigint', 'a varchar(20)')), alter('t', 'a>b', 'b>a'));
    expect(brief(retyped)).toEqual([
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`, RENAME COLUMN `b` TO `a`'],
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `b` bigint, MODIFY COLUMN `a` varchar(20)'],
    ]);
    expect(retyped.hints).toEqual([
      { kind: 'column', table: 't', from: 'a', to: 'b' },
      { kind: 'column', table: 't', from: 'b', to: 'a' },
    ]);
    expect(retyped.loss).toEqual([]);
  });
  it('columns that only exchange names stay at their positions', () => {
    const before = makeSnapshot(t('a int', 'b int'));
    expect(brief(plan(before, makeSnapshot(t('a int', 'b int')), alter('t', 'a>b', 'b>a')))).toEqual([
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `b` TO `a`, RENAME COLUMN `a` TO `b`'],
      ['widen', 'ALTER TABLE `t` MODIFY COLUMN `a` int AFTER `id`'],
    ]);
  });
  it('a new column gets the previous name of a renamed column in the exclusive step', () => {
    const diff = plan(
      makeSnapshot(t('a int')),
      makeSnapshot(t('b int', 'a varchar(9) NOT NULL')),
      alter('t', 'a>b', '+a'),
    );
    expect(brief(diff)).toEqual([
      [
        'exclusive',
        'ALTER TABLE `t` RENAME COLUMN `a` TO `b`',
        "ALTER TABLE `t` ADD COLUMN `a` varchar(9) NOT NULL DEFAULT ''",
      ],
      ['tighten', 'ALTER TABLE `t` MODIFY COLUMN `a` varchar(9) NOT NULL'],
    ]);
  });
  it('a dropped column whose name is reused is retained without the keys over it', () => {
    const before = makeSnapshot(
      t(
        'a int',
        'b int NOT NULL',
        'c int',
        'KEY ab (a,b)',
        'UNIQUE KEY ub (b)',
        'CONSTRAINT k CHECK (`b` > 0)',
      ),
    );
    const diff = plan(before, makeSnapshot(t('b int', 'c int', 'KEY ab (b)')), alter('t', '-b', 'a>b'));
    expect(brief(diff)).toEqual([
      [
        'widen',
        'ALTER TABLE `t` DROP KEY `ab`, DROP KEY `ub`, ADD KEY `ab` (`a`), DROP CONSTRAINT `k`, ALTER COLUMN `b` SET DEFAULT 0',
      ],
      ['exclusive', 'ALTER TABLE `t` DROP COLUMN `b`, RENAME COLUMN `a` TO `b`'],
    ]);
    expect(detailsOf(diff).alters[0]?.kept).toEqual([
      { name: 'b', definition: 'int NOT NULL DEFAULT 0 INVISIBLE' },
    ]);
    expect(diff.loss).toEqual(['column t.b with its values']);
  });
  it('a foreign key keeps an index when its unique key loses a column whose name is reused', () => {
    const key = 'CONSTRAINT f FOREIGN KEY (r) REFERENCES t (id)';
    const before = makeSnapshot(t('r int', 'a int', 'b int', 'UNIQUE KEY u (r,b)', key));
    const diff = plan(
      before,
      makeSnapshot(t('r int', 'b int', 'UNIQUE KEY u (r)', key)),
      alter('t', '-b', 'a>b'),
    );
    expect(brief(diff)).toEqual([
      ['widen', 'ALTER TABLE `t` DROP KEY `u`, ADD KEY `u` (`r`)'],
      ['exclusive', 'ALTER TABLE `t` DROP COLUMN `b`', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`'],
      ['tighten', 'ALTER TABLE `t` DROP KEY `u`, ADD UNIQUE KEY `u` (`r`)'],
    ]);
  });
  it('a table that is dropped and created with the same structure is replaced', () => {
    const child = makeTable('child', [
      ...ID,
      't_id int',
      'KEY f (t_id)',
      'CONSTRAINT f FOREIGN KEY (t_id) REFERENCES t (id)',
    ]);
    const snapshot = makeSnapshot(t('a int'), child);
    const diff = plan(snapshot, snapshot, drop('t'), create('t', 'id', 'a'));
    expect(brief(diff)).toEqual([
      ['widen', 'ALTER TABLE `child` DROP FOREIGN KEY `f`'],
      ['exclusive', 'DROP TABLE `t`', t('a int').createSql],
      ['tighten', 'ALTER TABLE `child` ADD CONSTRAINT `f` FOREIGN KEY (`t_id`) REFERENCES `t` (`id`)'],
    ]);
    expect([diff.loss, diff.steps[1]?.rowChecks.map((check) => check.sql)]).toEqual([
      ['table t with all its rows'],
      ['SELECT `id`, `t_id` FROM `child` WHERE `t_id` IS NOT NULL LIMIT 5'],
    ]);
  });
  it('row checks of later steps run before the exclusive step and use the current names', () => {
    const users = makeTable('users', ID);
    const before = makeSnapshot(t('a int', 'b int'), users);
    const after = makeSnapshot(
      t('b int NOT NULL', 'a int', 'KEY a (a)', 'CONSTRAINT f FOREIGN KEY (a) REFERENCES users (id)'),
      users,
    );
    const step = plan(before, after, alter('t', 'a>b', 'b>a')).steps.find(
      (entry) => entry.class === 'exclusive',
    );
    const read = '(SELECT `id` AS `id`, `a` AS `b`, `b` AS `a` FROM `t`)';
    expect(step?.rowChecks.map((check) => [check.table, check.sql])).toEqual([
      ['t', `SELECT \`id\`, \`b\` FROM ${read} \`t\` WHERE \`b\` IS NULL LIMIT 5`],
      [
        't',
        `SELECT c.\`id\`, c.\`a\` FROM ${read} c LEFT JOIN (SELECT \`id\` AS \`id\` FROM \`users\`) p ON p.\`id\` = c.\`a\` WHERE c.\`a\` IS NOT NULL AND p.\`id\` IS NULL LIMIT 5`,
      ],
    ]);
  });
  it('a row check uses the current names of tables whose names are exchanged by the plan', () => {
    const tables = (c: Table): Snapshot => makeSnapshot(makeTable('a', ID), makeTable('b', ID), c);
    const before = makeTable('c', [...ID, 'a_id int']);
    const key = ['KEY k (a_id)', 'CONSTRAINT f FOREIGN KEY (a_id) REFERENCES a (id)'];
    const diff = plan(
      tables(before),
      tables(makeTable('c', [...ID, 'a_id int', ...key])),
      move('a', 'x'),
      move('b', 'a'),
      move('x', 'b'),
    );
    const step = diff.steps.find(({ intent }) => intent.kind === 'exclusive');
    expect(step?.rowChecks.map((check) => [check.table, check.sql])).toEqual([
      [
        'c',
        expect.stringContaining('LEFT JOIN (SELECT `id` AS `id` FROM `b`) p ON p.`id` = c.`a_id`') as unknown,
      ],
    ]);
    const [add] = diff.steps.slice(-1);
    expect([add, step].map((item) => item !== undefined && listChecked(item))).toEqual([
      ['c', 'a'],
      expect.arrayContaining(['b']) as unknown,
    ]);
  });

  it('the exclusive step rotates table names together with the foreign keys between the tables', () => {
    const parent = (name: string) => makeTable(name, [...ID, 'x int']);
    const child = (name: string, to: string, key: string) =>
      makeTable(name, [
        ...ID,
        'y int',
        `KEY y (y)`,
        `CONSTRAINT ${key} FOREIGN KEY (y) REFERENCES ${to} (id)`,
      ]);
    const before = makeSnapshot(parent('a'), child('b', 'a', 'b_ibfk_1'), child('c', 'b', 'named'));
    const after = makeSnapshot(parent('b'), child('c', 'b', 'c_ibfk_1'), child('a', 'c', 'named'));
    const diff = plan(before, after, move('a', 'o'), move('c', 'a'), move('b', 'c'), move('o', 'b'));
    expect(brief(diff)).toEqual([
      ['exclusive', 'RENAME TABLE `c` TO `_rh_aside_0`, `b` TO `c`, `a` TO `b`, `_rh_aside_0` TO `a`'],
    ]);
    expect(detailsOf(diff).tables).toEqual([
      { from: 'c', to: 'a' },
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ]);
  });
  it('the exclusive step renames tables together with their columns', () => {
    const diff = plan(
      makeSnapshot(t('a int'), makeTable('u', ID)),
      makeSnapshot(makeTable('u', [...ID, 'c int'])),
      drop('u'),
      alter('t', 'a>c'),
      move('t', 'u'),
    );
    expect(brief(diff)).toEqual([
      ['exclusive', 'DROP TABLE `u`', 'RENAME TABLE `t` TO `u`', 'ALTER TABLE `u` RENAME COLUMN `a` TO `c`'],
    ]);
  });
  it('a reused column name takes the primary key with it', () => {
    const before = makeSnapshot(
      makeTable('t', ['id int NOT NULL AUTO_INCREMENT', 'code int NOT NULL', 'PRIMARY KEY (id)']),
    );
    const diff = plan(
      before,
      makeSnapshot(makeTable('t', ['id int NOT NULL', 'PRIMARY KEY (id)'])),
      alter('t', '-id', 'code>id'),
    );
    expect(brief(diff)).toEqual([
      [
        'exclusive',
        'ALTER TABLE `t` DROP COLUMN `id`, RENAME COLUMN `code` TO `id`, DROP PRIMARY KEY, ADD PRIMARY KEY (`id`)',
      ],
    ]);
  });
  it('a plan drops removed constraints before the names change', () => {
    const child = (...lines: string[]) => makeTable('child', [...ID, 't_id int', 'KEY f (t_id)', ...lines]);
    const before = makeSnapshot(
      t('a int', 'b int', 'c int', 'CONSTRAINT k CHECK (`a` > 0)', 'CONSTRAINT o CHECK (`c` > 0)'),
      child('CONSTRAINT f FOREIGN KEY (t_id) REFERENCES t (id)'),
    );
    const loosened = [
      ['widen', 'ALTER TABLE `child` DROP FOREIGN KEY `f`'],
      ['widen', 'ALTER TABLE `t` DROP CONSTRAINT `k`'],
    ];
    expect(
      brief(
        plan(
          before,
          makeSnapshot(t('b int', 'a int', 'c int', 'CONSTRAINT o CHECK (`c` > 0)'), child()),
          alter('t', 'a>b', 'b>a'),
        ),
      ),
    ).toEqual([
      ...loosened,
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`, RENAME COLUMN `b` TO `a`'],
    ]);
    expect(
      brief(
        plan(
          before,
          makeSnapshot(t('d int', 'b int', 'c int', 'CONSTRAINT o CHECK (`c` > 0)'), child()),
          alter('t', 'a>d'),
        ),
      ),
    ).toEqual([...loosened, ['rename', 'ALTER TABLE `t` RENAME COLUMN `a` TO `d`']]);
  });
  it('a plan adds a check again when its columns exchange names', () => {
    const before = makeSnapshot(t('a int', 'b int', 'CONSTRAINT k CHECK (`a` > 0)'));
    expect(
      brief(
        plan(
          before,
          makeSnapshot(t('b int', 'a int', 'CONSTRAINT k CHECK (`b` > 0)')),
          alter('t', 'a>b', 'b>a'),
        ),
      ),
    ).toEqual([
      ['widen', 'ALTER TABLE `t` DROP CONSTRAINT `k`'],
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `a` TO `b`, RENAME COLUMN `b` TO `a`'],
      ['tighten', 'ALTER TABLE `t` ADD CONSTRAINT `k` CHECK (`b` > 0)'],
    ]);
  });
  it('a plan drops the primary key in the statement that drops its column', () => {
    const after = makeSnapshot(makeTable('t', ['id bigint DEFAULT NULL', 'a int']));
    expect(brief(plan(makeSnapshot(t('a int')), after, alter('t', '-id', '+id')))).toEqual([
      ['widen', 'ALTER TABLE `t` ALTER COLUMN `id` SET DEFAULT 0'],
      [
        'exclusive',
        'ALTER TABLE `t` DROP COLUMN `id`, DROP PRIMARY KEY',
        'ALTER TABLE `t` ADD COLUMN `id` bigint DEFAULT NULL FIRST',
      ],
    ]);
  });
  it('a plan drops a primary key in a statement without renames, because MariaDB copies the table', () => {
    const diff = plan(
      makeSnapshot(t('a int')),
      makeSnapshot(makeTable('t', ['id int'])),
      alter('t', '-id', 'a>id'),
    );
    expect(brief(diff)[1]).toEqual([
      'exclusive',
      'ALTER TABLE `t` DROP COLUMN `id`, DROP PRIMARY KEY',
      'ALTER TABLE `t` RENAME COLUMN `a` TO `id`',
    ]);
    expect(
      detailsOf(diff).alters.map((exclusiveAlter) => [exclusiveAlter.renames.length, exclusiveAlter.specs]),
    ).toEqual([
      [1, []],
      [0, ['DROP PRIMARY KEY']],
    ]);
  });
  it('a plan moves the primary key to an existing column in the statement that drops its old column', () => {
    const after = makeSnapshot(makeTable('t', ['a int NOT NULL', 'id varchar(9)', 'PRIMARY KEY (a)']));
    expect(brief(plan(makeSnapshot(t('a int NOT NULL')), after, alter('t', '-id', '+id')))[1]).toEqual([
      'exclusive',
      'ALTER TABLE `t` DROP COLUMN `id`, DROP PRIMARY KEY, ADD PRIMARY KEY (`a`)',
      'ALTER TABLE `t` ADD COLUMN `id` varchar(9)',
    ]);
  });
  it('a plan drops a column of a referenced table before the renames', () => {
    const child = (column: string) =>
      makeTable('child', [
        ...ID,
        't_id int',
        'KEY f (t_id)',
        `CONSTRAINT f FOREIGN KEY (t_id) REFERENCES t (${column})`,
      ]);
    const before = makeSnapshot(t('a int', 'b int'), child('id'));
    const after = makeSnapshot(makeTable('t', ['a int NOT NULL', 'b int', 'PRIMARY KEY (a)']), child('a'));
    expect(brief(plan(before, after, alter('t', '-b', 'id>a', 'a>b')))).toEqual([
      [
        'exclusive',
        'ALTER TABLE `t` DROP COLUMN `b`',
        'ALTER TABLE `t` RENAME COLUMN `id` TO `a`, RENAME COLUMN `a` TO `b`',
      ],
    ]);
  });
  it('a plan in which each name keeps its object has no exclusive step', () => {
    const before = makeSnapshot(t('a int', 'b int'), makeTable('u', ID));
    const after = makeSnapshot(t('A int', 'c int'), makeTable('w', ID));
    expect(brief(plan(before, after, alter('t', 'a>A', 'b>c'), move('u', 'v'), move('v', 'w')))).toEqual([
      ['rename', 'ALTER TABLE `t` RENAME COLUMN `a` TO `A`, RENAME COLUMN `b` TO `c`'],
      ['rename', 'ALTER TABLE `u` RENAME TO `w`'],
    ]);
    expect(
      diffSnapshots(before, makeSnapshot(t('A int', 'b int'), makeTable('u', ID))).steps.map(
        (step) => step.sql,
      ),
    ).toEqual(['ALTER TABLE `t` RENAME COLUMN `a` TO `A`']);
  });
  it('a plan with a step that must run alone cannot also change a view', () => {
    const view = (column: string) => makeView('v', `select \`t\`.\`${column}\` AS \`x\` from \`t\``, ['x']);
    const [before, after] = [
      makeSnapshot(t('a int', 'b varchar(9)'), view('a')),
      makeSnapshot(t('b int', 'a varchar(9)'), view('a')),
    ];
    const lineage = trace(before, after, [alter('t', 'a>b', 'b>a')]);
    expect(findInRenames(before, after, lineage)).toEqual([]);
    const changed = makeSnapshot(t('b int', 'a varchar(9)'), view('b'));
    expect(findInRenames(before, changed, lineage)).toEqual([{ kind: 'view', name: 'v', what: 't.a' }]);
  });
  it('renaming an object that the database no longer has is rejected', () => {
    const [before, after] = [makeSnapshot(t('a int')), makeSnapshot(t('b int'))];
    const lineage = trace(before, after, [alter('t', 'a>b')]);
    expect(() => diffSnapshots(makeSnapshot(t()), after, lineage)).toThrow(/renamed from the column t.a/);
    expect(diffSnapshots(makeSnapshot(t('b int')), after, lineage).steps).toEqual([]);
  });
});

describe('the revert of an exclusive step', () => {
  const softDeleted = (table: string, column: string | null, retainedName: string): SoftDeletedObject => ({
    id: `kep_${retainedName}`,
    kind: column === null ? 'table' : 'column',
    migrationId: 'm',
    step: 0,
    table,
    column,
    keptName: retainedName,
    definition: { sql: '', triggers: [], foreignKeys: [] },
  });
  const revert = (
    before: Snapshot,
    after: Snapshot,
    objects: SoftDeletedObject[],
    ...changes: NameChange[]
  ) =>
    planRevert(after, before, {
      retained: objects,
      hints: [],
      exclusive: detailsOf(plan(before, after, ...changes)),
    });

  it('the revert of an exclusive step swaps the names back', () => {
    const revertPlan = revert(
      makeSnapshot(t('a int', 'b varchar(9)')),
      makeSnapshot(t('b int', 'a varchar(9)')),
      [],
      alter('t', 'a>b', 'b>a'),
    );
    expect(brief(revertPlan)).toEqual([
      ['exclusive', 'ALTER TABLE `t` RENAME COLUMN `b` TO `a`, RENAME COLUMN `a` TO `b`'],
    ]);
    expect(revertPlan.loss).toEqual([]);
  });
  it('a revert restores a retained table and a retained column whose names were reused', () => {
    const [before, after] = [makeSnapshot(t('a int', 'b int')), makeSnapshot(t('b int'))];
    const column = revert(before, after, [softDeleted('t', 'b', '_rh_k')], alter('t', '-b', 'a>b'));
    expect(detailsOf(column).alters).toEqual([
      {
        table: 't',
        renames: [{ from: 'b', to: 'a' }],
        kept: [],
        restored: [{ keptId: 'kep__rh_k', keptName: '_rh_k', name: 'b', definition: 'int' }],
        specs: [],
      },
    ]);
    const table = revert(
      makeSnapshot(t('a int')),
      makeSnapshot(t('c int')),
      [softDeleted('t', null, '_rh_k')],
      drop('t'),
      create('t', 'id', 'c'),
    );
    expect(detailsOf(table)).toMatchObject({
      keptTables: [{ table: 't' }],
      restoredTables: [{ table: 't', keptName: '_rh_k', keptId: 'kep__rh_k' }],
      tables: [],
      creates: [],
    });
    expect([table.loss, table.notes]).toEqual([
      ['table t with all its rows'],
      ['t is restored with the rows that it had when it was replaced.'],
    ]);
  });
  it('a revert creates an empty table or column when the retained one was purged', () => {
    const revertPlan = revert(
      makeSnapshot(t('a int')),
      makeSnapshot(t('c int')),
      [],
      drop('t'),
      create('t', 'id', 'c'),
    );
    expect(brief(revertPlan)).toEqual([['exclusive', 'DROP TABLE `t`', t('a int').createSql]]);
  });
  it('a revert renames a table back and restores the dropped one under the freed name', () => {
    const [before, after] = [
      makeSnapshot(t('a int'), makeTable('u', ID)),
      makeSnapshot(makeTable('u', [...ID, 'a int'])),
    ];
    const revertPlan = revert(before, after, [softDeleted('u', null, '_rh_k')], drop('u'), move('t', 'u'));
    expect(detailsOf(revertPlan)).toMatchObject({
      keptTables: [],
      tables: [{ from: 'u', to: 't' }],
      restoredTables: [{ table: 'u', keptName: '_rh_k' }],
    });
  });
});
