import type { ProposalResponse } from '@rowhouse/contracts';
import { Button, Textarea } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { toApiError } from '../../../data/client/api-error.js';
import { useProposeSchema, useSaveSchema } from '../../../data/schema/mutations.js';
import type { WorkingSchema } from '../../../data/schema/queries.js';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { Panel } from '../../../ui/layout/panel.js';
import { Tag } from '../../../ui/layout/tag.js';
import classes from '../schema.module.css';
import { usePersistedDraft } from './use-persisted-draft.js';
import { useSchemaLocation } from '../schema-search.js';

const EXAMPLES: readonly string[] = [
  'A table tags with name and color',
  'Add a subtitle to posts',
  'A table books with title, price and a user',
];

/**
 * Converts a change described in plain language to SQL and shows it. The SQL becomes part of the draft only
 * if the user adds it.
 */
export function DescribeChangeForm({ projectId, schema }: { projectId: string; schema: WorkingSchema }) {
  const { goTo } = useSchemaLocation();
  const propose = useProposeSchema(projectId);
  const save = useSaveSchema(projectId);
  const [text, setText] = usePersistedDraft(`${projectId}-words`);
  const [, setStatements] = usePersistedDraft(`${projectId}-statements`);
  const submit = (): void => {
    save.reset();
    if (text.trim() !== '') propose.mutate(text.trim());
  };
  const take = ({ sql, revision }: ProposalResponse): void =>
    save.mutate(
      { sql, mode: 'apply', base_revision: revision },
      {
        onSuccess: () => {
          setText('');
          propose.reset();
          goTo({ view: 'deploy' });
        },
      },
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <>
      <Panel title="Describe a change" note="We’ll suggest SQL for you to review.">
        <Textarea
          aria-label="What should change"
          placeholder="Describe it in your own words."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={classes.chips} role="group" aria-label="Examples">
          {EXAMPLES.map((example) => (
            <button key={example} type="button" onClick={() => setText(example)}>
              {example}
            </button>
          ))}
        </div>
        {propose.isError ? <NotUnderstood error={propose.error} onUse={setText} /> : null}
        <div className={classes.actions}>
          <Button
            leftSection={<IconSparkles size={15} />}
            loading={propose.isPending}
            disabled={text.trim() === ''}
            onClick={submit}
          >
            Propose SQL
          </Button>
          <span className="rh-dim">
            Or press <kbd>Ctrl+Enter</kbd>.
          </span>
        </div>
      </Panel>
      {propose.data ? (
        <Panel
          label="Proposal"
          title={
            <span className={classes.targetTitle}>
              Proposal <Tag>{propose.data.source === 'model' ? 'By the language model' : 'Without AI'}</Tag>
            </span>
          }
          note="Not in the draft yet."
        >
          <CodeBlock code={propose.data.sql} language="sql" label="Proposed SQL" heightMax={420} wrap />
          <ProposalImpact proposal={propose.data} />
          {propose.data.revision === schema.revision ? null : (
            <p className={classes.done}>The draft has changed. Propose again.</p>
          )}
          {save.isError ? <ErrorNotice title="Couldn’t save the draft" error={save.error} /> : null}
          <div className={classes.actions}>
            <Button
              loading={save.isPending}
              disabled={propose.data.revision !== schema.revision}
              onClick={() => take(propose.data)}
            >
              Add to draft
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setStatements(propose.data.sql);
                goTo({ view: 'sql' });
              }}
            >
              Edit as SQL
            </Button>
            <Button variant="default" onClick={() => propose.reset()}>
              Dismiss
            </Button>
          </div>
        </Panel>
      ) : null}
    </>
  );
}

function ProposalImpact({ proposal: { loss, impact, notes } }: { proposal: ProposalResponse }) {
  const added = [...impact.added, ...impact.changed];
  return (
    <>
      {loss.length > 0 ? (
        <div className={classes.loss} role="note">
          <strong>Data would be lost</strong>
          <ul>
            {loss.map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {added.length + impact.removed.length > 0 ? (
        <div className={classes.impact}>
          <h3>API changes</h3>
          <ul aria-label="API impact">
            {added.map((entry) => (
              <li key={entry} data-kind="added">
                + {entry}
              </li>
            ))}
            {impact.removed.map((entry) => (
              <li key={entry} data-kind="removed">
                − {entry}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {notes.length > 0 ? (
        <ul className={classes.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** Explains that a description was not understood, and lists phrasings that work. */
function NotUnderstood({ error, onUse }: { error: unknown; onUse: (text: string) => void }) {
  const forms = toApiError(error).extra['forms'];
  return (
    <ErrorNotice
      title="Couldn’t write SQL for this"
      error={error}
      {...(Array.isArray(forms) ? { hint: 'Try a sentence like one of these:' } : {})}
    >
      {Array.isArray(forms) ? (
        <div className={classes.chips} role="group" aria-label="Supported sentences">
          {forms.slice(0, 8).map((form) => (
            <button key={String(form)} type="button" onClick={() => onUse(String(form))}>
              {String(form)}
            </button>
          ))}
        </div>
      ) : null}
    </ErrorNotice>
  );
}
