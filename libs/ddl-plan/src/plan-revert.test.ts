import { describe, expect, it } from 'vitest';
import { diffSnapshots } from './diff/diff-snapshots.js';
import { planRevert } from './plan-revert.js';
import { lineageOfHints } from './lineage/lineage.js';
import { makeSnapshot, makeTable } from './testing/make-schema.js';
import type { SoftDeletedObject, RenameHint } from './types.js';

const ID = ['id int NOT NULL', 'PRIMARY KEY (id)'];
const users = makeTable('users', ID);
const softDeleted = (table: string, column: string | null): SoftDeletedObject => ({
  id: `kep_${table}_${column ?? ''}`,
  kind: column === null ? 'table' : 'column',
  migrationId: 'mig_1',
  step: 0,
  table,
  column,
  keptName: `_rh_1_0_${column ?? 't'}`,
  definition: { sql: '', triggers: [], foreignKeys: [] },
});

describe('planRevert', () => {
  it('planRevert restores a retained table and adds its keys after a row check', () => {
    const posts = makeTable('posts', [
      ...ID,
      'user_id int',
      'KEY u (user_id)',
      'CONSTRAINT p FOREIGN KEY (user_id) REFERENCES users (id)',
    ]);
    const plan = planRevert(makeSnapshot(users), makeSnapshot(users, posts), {
      retained: [softDeleted('posts', null)],
      hints: [],
      exclusive: null,
    });
    expect(plan.steps.map((step) => [step.kind, step.class])).toEqual([
      ['restore_table', 'widen'],
      ['alter_table', 'tighten'],
    ]);
    expect(plan.steps[0]).toMatchObject({
      intent: { kind: 'restore_table', details: { keptName: '_rh_1_0_t' } },
    });
    expect(plan.steps[1]).toMatchObject({
      sql: 'ALTER TABLE `posts` ADD CONSTRAINT `p` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)',
      rowChecks: [{ shows: ['id', 'user_id'] }],
    });
    expect(plan.impact.added).toContain('GET /posts');
  });
  it('planRevert recreates purged objects and drops objects that the migration created', () => {
    const plan = planRevert(
      makeSnapshot(makeTable('users', [...ID, 'new int'])),
      makeSnapshot(users, makeTable('old', ID)),
      { retained: [], hints: [], exclusive: null },
    );
    expect(plan.steps.map((step) => [step.kind, step.class])).toEqual([
      ['create_table', 'widen'],
      ['alter_table', 'drop'],
    ]);
    expect(plan.loss).toEqual(['column users.new with its values']);
  });
  it('planRevert restores columns at their positions, required ones with a temporary default', () => {
    const base = makeSnapshot(
      makeTable('t', [
        'a int',
        'id int NOT NULL',
        'b varchar(9) NOT NULL',
        'c int',
        'PRIMARY KEY (id)',
        'UNIQUE KEY ab (a,b)',
      ]),
    );
    const plan = planRevert(
      makeSnapshot(makeTable('t', ['id int NOT NULL', 'c int', 'PRIMARY KEY (id)'])),
      base,
      { retained: [softDeleted('t', 'a'), softDeleted('t', 'b')], hints: [], exclusive: null },
    );
    expect(plan.steps[0]).toMatchObject({
      kind: 'restore_columns',
      class: 'add_required',
      afterPublish: 'ALTER TABLE `t` ALTER COLUMN `b` DROP DEFAULT',
      intent: {
        details: {
          columns: [
            { keptName: '_rh_1_0_a', name: 'a', definition: 'int FIRST' },
            { keptName: '_rh_1_0_b', name: 'b', definition: "varchar(9) NOT NULL DEFAULT '' AFTER `id`" },
          ],
        },
      },
    });
    expect(plan.steps.slice(1).map((step) => step.sql)).toEqual([
      'ALTER TABLE `t` ADD UNIQUE KEY `ab` (`a`,`b`)',
    ]);
    expect(plan.notes[1]).toBe('t.b is restored with its values. Rows written since then have its default.');
  });
  it('planRevert reverts renames and finds a retained column in its renamed table', () => {
    const hints: RenameHint[] = [
      { kind: 'table', from: 'posts', to: 'notes' },
      { kind: 'column', table: 'notes', from: 'a', to: 'b' },
    ];
    const before = makeSnapshot(makeTable('posts', [...ID, 'a int', 'gone int']));
    const after = makeSnapshot(makeTable('notes', [...ID, 'b int']));
    expect(
      diffSnapshots(before, after, lineageOfHints(before, after, hints)).steps.map((step) => step.class),
    ).toEqual(['rename', 'rename', 'drop']);
    const plan = planRevert(after, before, {
      retained: [softDeleted('notes', 'gone')],
      hints,
      exclusive: null,
    });
    expect(plan.steps.map((step) => [step.kind, step.sql])).toEqual([
      ['restore_columns', 'ALTER TABLE `notes` ADD COLUMN `gone` int'],
      ['alter_table', 'ALTER TABLE `notes` RENAME COLUMN `b` TO `a`'],
      ['rename_table', 'ALTER TABLE `notes` RENAME TO `posts`'],
    ]);
  });
  it('planRevert keeps a retained column hidden when another column has its name', () => {
    const table = makeTable('t', [...ID, 'a int']);
    expect(
      planRevert(makeSnapshot(table), makeSnapshot(table), {
        retained: [softDeleted('t', 'a')],
        hints: [],
        exclusive: null,
      }).steps,
    ).toEqual([]);
  });
});
