import type { LanguageModelResponse } from '@rowhouse/contracts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useForgetLanguageModel, usePutLanguageModel } from '../../data/language-models/mutations.js';
import { languageModelQuery } from '../../data/language-models/queries.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { ErrorNotice, QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import classes from './settings.module.css';

const SOURCES: Readonly<Record<LanguageModelResponse['source'], string>> = {
  project: 'This project uses its own language model.',
  installation: 'Questions use this server’s language model. You can replace it for this project.',
  none: 'No language model is configured. Add one so more questions can be answered.',
};

const WAITING = <SkeletonRows rows={2} />;

/** Selects the language model of a project. Any server with the OpenAI chat protocol can be used. */
export function ModelPanel({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const model = useQuery(languageModelQuery(projectId));
  return (
    <Panel title="Project language model" note="Used by every database in this project that allows it.">
      {model.isPending ? WAITING : null}
      <QueryErrorNotice title="Couldn’t load the language model" query={model} />
      {model.data ? (
        <Later instead={WAITING}>
          <p className={classes.facts}>
            {SOURCES[model.data.source]}
            {model.data.source === 'project' && !mayChange ? (
              <>
                {' '}
                It is <strong>{model.data.model}</strong> at{' '}
                <span className="rh-mono">{model.data.base_url}</span>.
              </>
            ) : null}
          </p>
          {mayChange ? (
            <ModelForm key={model.data.updated_at} projectId={projectId} model={model.data} />
          ) : null}
        </Later>
      ) : null}
    </Panel>
  );
}

function ModelForm({ projectId, model }: { projectId: string; model: LanguageModelResponse }) {
  const put = usePutLanguageModel(projectId);
  const forget = useForgetLanguageModel(projectId);
  const [address, setAddress] = useState(model.base_url ?? '');
  const [name, setName] = useState(model.model ?? '');
  const [key, setKey] = useState('');
  const [isLeaving, setLeaving] = useState(false);
  const isChanged =
    address.trim() !== (model.base_url ?? '') || name.trim() !== (model.model ?? '') || key !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    put.mutate({ base_url: address.trim(), model: name.trim(), ...(key === '' ? {} : { api_key: key }) });
  };
  return (
    <>
      <form onSubmit={submit} className={classes.fields}>
        <TextInput
          label="URL"
          description="URL of an OpenAI-compatible API."
          placeholder="https://api.example.com/v1"
          type="url"
          maxLength={500}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Model"
          placeholder="Model name"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label="API key of the model"
          description={
            model.has_key
              ? 'Leave empty to keep the current key. It’s removed if you change the URL.'
              : 'Sent as a bearer token. Stored encrypted. You won’t be able to see it again.'
          }
          maxLength={1_000}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
        />
        {put.isError ? <ErrorNotice title="Couldn’t save the language model" error={put.error} /> : null}
        <div className={classes.buttons}>
          <Button
            type="submit"
            loading={put.isPending}
            disabled={!isChanged || address.trim() === '' || name.trim() === ''}
          >
            Save model
          </Button>
          {model.source === 'project' ? (
            <Button variant="default" onClick={() => setLeaving(true)}>
              Remove model
            </Button>
          ) : null}
        </div>
      </form>
      <ConfirmDialog
        opened={isLeaving}
        title="Remove the language model?"
        actionLabel="Remove model"
        isPending={forget.isPending}
        error={forget.error}
        errorTitle="Couldn’t remove the language model"
        onClose={() => setLeaving(false)}
        onConfirm={() => forget.mutate(undefined, { onSuccess: () => setLeaving(false) })}
      >
        Deletes its URL and key. Questions then use this server’s model, if it has one.
      </ConfirmDialog>
    </>
  );
}
