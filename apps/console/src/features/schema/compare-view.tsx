import type { DatabaseResponse } from '@rowhouse/contracts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { deployedSchemaQuery, type WorkingSchema } from '../../data/schema/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { Panel } from '../../ui/panel.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import classes from './compare-view.module.css';
import { diffSchemaText } from './diff-text.js';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

/** Compares the text of the draft with the live schema of a database. */
export function CompareView({
  databases,
  initial,
  schema,
}: {
  databases: readonly DatabaseResponse[];
  initial: DatabaseResponse;
  schema: WorkingSchema;
}) {
  const [chosen, setChosen] = useState(initial.id);
  const database = databases.find((candidate) => candidate.id === chosen) ?? initial;
  const live = useQuery(deployedSchemaQuery(database));
  const objects = useMemo(
    () => (live.data === undefined ? [] : diffSchemaText(live.data.sql, schema.sql)),
    [live.data, schema.sql],
  );
  return (
    <Panel
      title="Compare"
      note={`− is live in ${database.environment}, + is in the draft.`}
      actions={
        <NativeSelect
          size="xs"
          aria-label="Compare the draft with"
          data={databases.map((entry) => ({ value: entry.id, label: `with ${entry.environment}` }))}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      }
    >
      {live.isPending && database.state === 'ready' ? <SkeletonRows rows={3} height={20} /> : null}
      {live.isError ? (
        <ErrorNotice
          title="Couldn’t load the live schema"
          error={live.error}
          onRetry={() => void live.refetch()}
        />
      ) : null}
      {live.data && objects.length === 0 ? (
        <p className={classes.same}>The draft and {database.environment} read the same.</p>
      ) : null}
      {objects.map((object) => (
        <pre
          key={object.title}
          className={classes.diff}
          tabIndex={0}
          role="group"
          aria-label={`Difference of ${object.title}`}
        >
          {object.lines.map((line, index) => (
            <span key={index} data-kind={line.kind}>
              <span aria-hidden="true">{SIGNS[line.kind]} </span>
              <span className="rh-spoken">{WORDS[line.kind]}</span>
              {line.text}
              {'\n'}
            </span>
          ))}
        </pre>
      ))}
    </Panel>
  );
}
