import type { MigrationAnswer } from '@rowhouse/contracts';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../ui/data-table.js';
import { HouseGlyph } from '../../ui/house-glyph.js';
import { Tag } from '../../ui/tag.js';
import { TimeText } from '../../ui/time-text.js';
import type { Place } from '../shell/rooms.js';
import { describeState } from './describe-state.js';
import { summarizePlan } from '../schema/summarize-plan.js';

export function MigrationList({ place, migrations }: { place: Place; migrations: readonly MigrationAnswer[] }) {
  return (
    <DataTable
      label="Migrations"
      rows={migrations}
      rowKey={(migration) => migration.id}
      columns={[
        {
          header: 'Change',
          isTitle: true,
          cell: (migration) => (
            <Link to="/projects/$projectId/$environment/migrations/$migrationId" params={{ ...place, migrationId: migration.id }}>{summarizePlan(migration.plan)}</Link>
          ),
        },
        { header: 'Database', cell: (migration) => <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center' }}><HouseGlyph environment={migration.environment} size={14} /> {migration.environment}</span> },
        { header: 'State', cell: (migration) => <Tag dot tone={describeState(migration.state).tone}>{describeState(migration.state).label}</Tag> },
        { header: 'Snapshot', cell: (migration) => `${migration.base_snapshot} → ${migration.published_snapshot ?? '…'}` },
        { header: 'When', cell: (migration) => <TimeText iso={migration.created_at} /> },
      ]}
    />
  );
}
