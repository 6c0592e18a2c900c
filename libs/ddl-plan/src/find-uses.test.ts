import type { Snapshot, Table } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { diffSnapshots } from './diff/diff-snapshots.js';
import { findBroken, findInRenames } from './find-uses.js';
import { lineageOfHints } from './lineage/lineage.js';
import { makeSnapshot, makeTable, makeView } from './testing/make-schema.js';

const posts = (columns: string[]): Table =>
  makeTable('posts', ['id int NOT NULL', ...columns, 'PRIMARY KEY (id)']);
const withTrigger = (table: Table, ...bodies: string[]): Table => ({
  ...table,
  triggers: bodies.map((body, index) => ({
    name: `stamp${index}`,
    timing: 'BEFORE',
    event: 'UPDATE',
    createSql: `CREATE TRIGGER \`stamp${index}\` BEFORE UPDATE ON \`${table.name}\` FOR EACH ROW ${body}`,
  })),
});
const routine = (sql: string) => ({
  name: 'tidy',
  kind: 'procedure' as const,
  createSql: `CREATE PROCEDURE \`tidy\`() ${sql}`,
});
const withRoutine = (snapshot: Snapshot, sql: string): Snapshot => ({
  ...snapshot,
  routines: [routine(sql)],
});

describe('findBroken', () => {
  const before = posts(['title varchar(9)', 'n int']);
  const after = posts(['n int']);
  it('findBroken returns triggers and routines that use a removed object', () => {
    const [old, next] = [before, after].map((table) =>
      withRoutine(makeSnapshot(withTrigger(table, 'SET NEW.title = 1')), 'UPDATE posts SET title = 2'),
    );
    expect(findBroken(old!, next!)).toEqual([
      { kind: 'trigger', name: 'stamp0', what: 'posts.title' },
      { kind: 'procedure', name: 'tidy', what: 'posts.title' },
    ]);
  });
  it('findBroken ignores texts, comments and columns of other tables', () => {
    const [old, next] = [before, after].map((table) =>
      withRoutine(
        makeSnapshot(withTrigger(table, "SET NEW.n = LENGTH('title') /* title */ -- title\n")),
        'UPDATE songs SET title = 2',
      ),
    );
    expect(findBroken(old!, next!)).toEqual([]);
  });
  it('findBroken omits objects that change in the same plan', () => {
    expect(
      findBroken(
        makeSnapshot(withTrigger(before, 'SET NEW.title = 1')),
        makeSnapshot(withTrigger(after, 'SET NEW.n = 1')),
      ),
    ).toEqual([]);
    expect(
      findBroken(
        withRoutine(makeSnapshot(before), 'DELETE FROM `posts`'),
        withRoutine(makeSnapshot(), 'DELETE FROM `posts`'),
      ),
    ).toEqual([{ kind: 'procedure', name: 'tidy', what: 'posts' }]);
  });
});

describe('findInRenames', () => {
  const hint = { kind: 'column' as const, table: 'posts', from: 'title', to: 'headline' };
  it('findInRenames returns objects that use the old name and stay in the schema', () => {
    const [old, next] = ['title', 'headline'].map((name) =>
      makeSnapshot(
        posts([`${name} int`]),
        makeView('v', `select \`posts\`.\`${name}\` AS \`x\` from \`posts\``, ['x']),
      ),
    );
    const dropped = makeSnapshot(posts(['headline int']));
    expect(findInRenames(old!, next!, lineageOfHints(old!, next!, [hint]))).toEqual([
      { kind: 'view', name: 'v', what: 'posts.title' },
    ]);
    expect(findInRenames(old!, dropped, lineageOfHints(old!, dropped, [hint]))).toEqual([]);
    expect(findInRenames(old!, next!, null)).toEqual([]);
  });
});

describe('triggers and routines in a plan', () => {
  const table = posts(['n int']);
  const sqlOf = (from: Snapshot, to: Snapshot): (string | null)[] =>
    diffSnapshots(from, to).steps.map((step) => step.beforePublish ?? step.afterPublish);

  it('a plan creates triggers after the columns they use and drops triggers first', () => {
    const next = makeSnapshot(withTrigger(posts(['n int', 'm int']), 'SET NEW.m = 1'));
    expect(sqlOf(makeSnapshot(table), next)).toEqual([
      'ALTER TABLE `posts` ADD COLUMN `m` int',
      next.tables[0]!.triggers![0]!.createSql,
    ]);
    expect(sqlOf(next, makeSnapshot(table))).toEqual([
      'DROP TRIGGER `stamp0`',
      'ALTER TABLE `posts` DROP COLUMN `m`',
    ]);
  });
  it('a plan replaces a single trigger, and creates all triggers after the first difference again', () => {
    expect(
      sqlOf(
        makeSnapshot(withTrigger(table, 'SET NEW.n = 1')),
        makeSnapshot(withTrigger(table, 'SET NEW.n = 2')),
      ),
    ).toEqual(['CREATE OR REPLACE TRIGGER `stamp0` BEFORE UPDATE ON `posts` FOR EACH ROW SET NEW.n = 2']);
    expect(
      sqlOf(
        makeSnapshot(withTrigger(table, 'SET NEW.n = 1', 'SET NEW.n = 2')),
        makeSnapshot(withTrigger(table, 'SET NEW.n = 3', 'SET NEW.n = 2')),
      ),
    ).toHaveLength(4);
    const mysql = { ...makeSnapshot(withTrigger(table, 'SET NEW.n = 2')), engine: 'mysql' as const };
    expect(
      diffSnapshots(makeSnapshot(withTrigger(table, 'SET NEW.n = 1')), mysql).steps[0]?.intent,
    ).toMatchObject({ kind: 'replace', details: { drop: 'DROP TRIGGER `stamp0`' } });
  });
  it('a trigger stays with its table when the table is renamed', () => {
    const moved = {
      ...posts(['n int']),
      name: 'notes',
      createSql: table.createSql.replace('`posts`', '`notes`'),
    };
    const from = makeSnapshot(withTrigger(table, 'SET NEW.n = 1'));
    const to = makeSnapshot(withTrigger(moved, 'SET NEW.n = 1'));
    expect(
      diffSnapshots(
        from,
        to,
        lineageOfHints(from, to, [{ kind: 'table', from: 'posts', to: 'notes' }]),
      ).steps.map((step) => step.sql),
    ).toEqual(['ALTER TABLE `posts` RENAME TO `notes`']);
  });
  it('a plan creates routines with IF NOT EXISTS or OR REPLACE', () => {
    const [snapshot, two] = [
      withRoutine(makeSnapshot(table), 'SELECT 1'),
      withRoutine(makeSnapshot(table), 'SELECT 2'),
    ];
    expect(sqlOf(snapshot, two)).toEqual(['CREATE OR REPLACE PROCEDURE `tidy`() SELECT 2']);
    expect(sqlOf({ ...snapshot, engine: 'mysql' }, { ...two, engine: 'mysql' })).toEqual([
      'DROP PROCEDURE IF EXISTS `tidy`',
      'CREATE PROCEDURE IF NOT EXISTS `tidy`() SELECT 2',
    ]);
    expect(sqlOf(snapshot, makeSnapshot(table))).toEqual(['DROP PROCEDURE IF EXISTS `tidy`']);
  });
});
