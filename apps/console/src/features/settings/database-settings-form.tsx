import type { DatabaseResponse, DatabaseSettings, UpdateDatabaseRequest } from '@rowhouse/contracts';
import { Button, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useUpdateDatabase } from '../../data/databases/mutations.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { RenderInOrder } from '../../ui/loading/render-in-order.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { ColumnsField } from './columns-field.js';
import { lazyPart } from '../../ui/loading/lazy-part.js';
import { GuardedTablesField } from './guarded-tables-field.js';
import { LicenseField } from './license-field.js';
import { OriginsField } from './origins-field.js';
import { QuestionLines } from './question-lines.js';
import { RateField, CountField } from './rate-field.js';
import { SettingLine } from './setting-line.js';
import classes from './settings.module.css';

/**
 * The form for the settings of one database. All changes are saved together. Members who may not change the
 * settings only see the current values.
 */
export function DatabaseSettingsForm({
  database,
  mayChange,
}: {
  database: DatabaseResponse;
  mayChange: boolean;
}) {
  const update = useUpdateDatabase(database);
  const [draft, setDraft] = useState<DatabaseSettings>(database.settings);
  const changes = listChanges(database.settings, draft);
  const count = Object.keys(changes).length;
  const set = (part: Partial<DatabaseSettings>): void => setDraft((current) => ({ ...current, ...part }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate(
      { settings: changes as UpdateDatabaseRequest['settings'] },
      {
        onSuccess: (response) => setDraft(response.settings),
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <fieldset disabled={!mayChange} className={classes.lines}>
        <RenderInOrder>
          <div className={classes.group}>
            <Panel title={`API of ${database.environment}`} note="Apply to all API keys.">
              <SettingLines database={database} draft={draft} set={set} />
              <LimitLines draft={draft} set={set} />
            </Panel>
          </div>
          <div className={classes.group}>
            <Panel title={`Tables of ${database.environment}`} note="Apply to all API keys.">
              <TableLines database={database} draft={draft} set={set} />
            </Panel>
          </div>
          <div className={classes.group}>
            <Panel
              title="Questions"
              note={`For questions about ${database.environment} in the console, the API and agents.`}
            >
              <QuestionLines draft={draft} set={set} />
            </Panel>
          </div>
        </RenderInOrder>
      </fieldset>
      {update.isError ? <ErrorNotice title="Couldn’t save the settings" error={update.error} /> : null}
      <p role="status" className={classes.saved}>
        {update.isSuccess && count === 0 ? `Settings for ${database.environment} saved.` : ''}
      </p>
      {count > 0 ? (
        <div className={classes.save} role="region" aria-label="Unsaved changes">
          <span>{formatCountOf(count, 'unsaved change')}</span>
          <span className={classes.saveButtons}>
            <Button variant="default" onClick={() => setDraft(database.settings)}>
              Discard
            </Button>
            <Button type="submit" loading={update.isPending}>
              Save settings
            </Button>
          </span>
        </div>
      ) : null}
    </form>
  );
}

interface SettingLinesProps {
  readonly database: DatabaseResponse;
  readonly draft: DatabaseSettings;
  readonly set: (part: Partial<DatabaseSettings>) => void;
}

function SettingLines({ database, draft, set }: SettingLinesProps) {
  return (
    <RenderInOrder>
      <SettingLine
        tab="api"
        title="Unknown fields in requests"
        text="What to do when a request body contains a column that doesn’t exist."
        control={
          <Segments
            aria-label="Unknown fields"
            data={[
              { value: 'reject', label: 'Reject (422)' },
              { value: 'ignore', label: 'Ignore' },
            ]}
            value={draft.unknown_fields}
            onChange={(value) => set({ unknown_fields: value as DatabaseSettings['unknown_fields'] })}
          />
        }
      />
      <SettingLine
        tab="api"
        title="Require pagination"
        text="Reject list requests without page or limit."
        control={
          <Switch
            aria-label="Require pagination"
            checked={draft.require_limit}
            onChange={(event) => set({ require_limit: event.currentTarget.checked })}
          />
        }
      />
      <DocsLines draft={draft} set={set} />
      <SettingLine
        tab="api"
        title="Browser access (CORS)"
        terms="origins web pages sites allow"
        text={
          <>
            Web pages on these origins can call the API with a key. Leave empty to allow any site. To restrict
            a single key, set its origins when you{' '}
            <Link
              to="/projects/$projectId/$environment/keys"
              params={{ projectId: database.project_id, environment: database.environment }}
              search={{ create: true }}
            >
              create it
            </Link>
            .
          </>
        }
      >
        <OriginsField
          origins={draft.allowed_origins}
          onChange={(origins) => set({ allowed_origins: origins })}
        />
      </SettingLine>
    </RenderInOrder>
  );
}

/** The settings that limit requests, and the time zone. */
function LimitLines({ draft, set }: Omit<SettingLinesProps, 'database'>) {
  return (
    <RenderInOrder>
      <SettingLine
        tab="api"
        title="Regular expressions"
        text="Allow the regex filter. A bad pattern can keep the database busy for up to a second."
        control={
          <Switch
            aria-label="Regular expressions"
            checked={draft.regex_enabled}
            onChange={(event) => set({ regex_enabled: event.currentTarget.checked })}
          />
        }
      />
      <SettingLine
        tab="api"
        title="Time zone"
        text="Used for TIMESTAMP values without an offset."
        control={<TimeZoneField zone={draft.time_zone} onChange={(zone) => set({ time_zone: zone })} />}
      />
      <SettingLine
        tab="api"
        title="Rate limit"
        terms="throttle 429"
        text="Requests per second for the whole database. Further requests get a 429."
        control={<RateField rate={draft.rate} onChange={(rate) => set({ rate })} />}
      />
      <SettingLine
        tab="api"
        title="Query cost limit"
        text="Maximum rows a query may scan. More expensive queries get a 422 that names the missing index. Leave empty for the default."
        control={
          <CountField
            label="Query cost limit (rows)"
            min={1_000}
            max={1_000_000_000_000}
            placeholder="default"
            value={draft.rows_examined_max}
            onChange={(rows) => set({ rows_examined_max: rows })}
          />
        }
      />
      <SettingLine
        tab="api"
        title="Idle transaction timeout"
        text="During a schema change, close sessions idle in a transaction for this many seconds. Leave empty to wait."
        control={
          <CountField
            label="Idle transaction timeout (seconds)"
            min={1}
            max={3_600}
            placeholder="waits"
            value={draft.end_idle_transactions_after_seconds}
            onChange={(seconds) => set({ end_idle_transactions_after_seconds: seconds })}
          />
        }
      />
    </RenderInOrder>
  );
}

/** Only the tab for the API shows this field, so it is loaded later. */
const DocsPageField = lazyPart(
  () => import('./docs-page-field.js').then((module) => module.DocsPageField),
  <div className={classes.docsPageWait} />,
);

/** The settings of the public docs. */
function DocsLines({ draft, set }: Omit<SettingLinesProps, 'database'>) {
  const { project } = useCurrentDatabase();
  return (
    <>
      <SettingLine
        tab="api"
        title="Public docs"
        text="Let anyone with the URL read the OpenAPI document and the docs page."
        control={
          <Switch
            aria-label="Public docs"
            checked={draft.docs_enabled}
            onChange={(event) => set({ docs_enabled: event.currentTarget.checked })}
          />
        }
      />
      <SettingLine
        tab="api"
        title="Docs page"
        terms="brand logo color title introduction"
        text="The appearance of the public docs page."
      >
        <DocsPageField
          page={draft.docs_page}
          projectName={project.name}
          onChange={(page) => set({ docs_page: page })}
        />
      </SettingLine>
      <SettingLine
        tab="api"
        title="License"
        text="The license of this API and its data. The OpenAPI document shows it."
        control={<LicenseField license={draft.license} onChange={(license) => set({ license })} />}
      />
    </>
  );
}

/** The settings that contain names of tables and columns. */
function TableLines({ database, draft, set }: SettingLinesProps) {
  const schema = useQuery(workingSchemaQuery(database.project_id));
  const describeNone = (text: string): string => (schema.data === undefined ? '' : text);
  return (
    <RenderInOrder>
      <SettingLine
        tab="tables"
        title="Optimistic locking"
        text="Require an If-Match header to update or delete rows in these tables (otherwise 428)."
      >
        <GuardedTablesField
          tables={(schema.data?.tables ?? [])
            .filter((table) => table.kind === 'table')
            .map((table) => table.name)}
          guarded={draft.require_if_match}
          onChange={(guarded) => set({ require_if_match: guarded })}
        />
      </SettingLine>
      <SettingLine
        tab="tables"
        title="Write-only columns"
        text="Never returned, filtered, sorted or documented, for any key."
      >
        <ColumnsField
          tables={schema.data?.tables ?? []}
          chosen={draft.hidden_columns}
          onChange={(hidden) => set({ hidden_columns: hidden })}
          label="Write-only columns"
          addLabel="Hide column"
          removeLabel={(name) => `Show ${name}`}
          emptyText={describeNone('The schema has no tables yet.')}
        />
      </SettingLine>
      <SettingLine
        tab="tables"
        title="TINYINT(1) as numbers"
        text="TINYINT(1) columns are booleans by default. These columns are integers in the API, the docs and generated code."
      >
        <ColumnsField
          tables={listBooleans(schema.data?.tables ?? [])}
          chosen={draft.number_columns}
          onChange={(numbers) => set({ number_columns: numbers })}
          label="TINYINT(1) columns as numbers"
          addLabel="Use numbers"
          removeLabel={(name) => `Make ${name} a boolean`}
          emptyText={describeNone('The schema has no TINYINT(1) columns.')}
        />
      </SettingLine>
      <SettingLine
        tab="tables"
        title="Columns excluded from questions"
        text="Questions can use values of short text columns, as in “orders from Lisbon”. Values of these columns aren’t collected."
      >
        <ColumnsField
          tables={schema.data?.tables ?? []}
          chosen={draft.unindexed_columns}
          onChange={(unindexed) => set({ unindexed_columns: unindexed })}
          label="Columns excluded from questions"
          addLabel="Exclude column"
          removeLabel={(name) => `Include ${name} again`}
          emptyText={describeNone('The schema has no tables yet.')}
        />
      </SettingLine>
    </RenderInOrder>
  );
}

/** Returns the tables that have TINYINT(1) columns, with only these columns. */
function listBooleans(tables: readonly TableView[]): TableView[] {
  const narrowed = tables.map((table) => ({
    ...table,
    columns: table.columns.filter((column) => column.type.toLowerCase() === 'tinyint(1)'),
  }));
  return narrowed.filter((table) => table.kind === 'table' && table.columns.length > 0);
}

/** Returns the settings in a draft that differ from the stored ones. */
export function listChanges(stored: DatabaseSettings, draft: DatabaseSettings): Partial<DatabaseSettings> {
  const names = Object.keys(draft) as (keyof DatabaseSettings)[];
  const changed = names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(draft[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

/** A field with suggestions for about 400 time zones. They are rendered only once the field has the focus. */
function TimeZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const id = useId();
  const [zones, setZones] = useState<readonly string[]>([]);
  return (
    <>
      <TextInput
        size="xs"
        aria-label="Time zone"
        list={id}
        value={zone}
        maxLength={64}
        onFocus={() =>
          setZones((known) => (known.length === 0 ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : known))
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
