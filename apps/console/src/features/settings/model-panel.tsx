import type { LanguageModelAnswer } from '@rowhouse/contracts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useForgetLanguageModel, usePutLanguageModel } from '../../data/language-models/mutations.js';
import { languageModelQuery } from '../../data/language-models/queries.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { Later } from '../../ui/later.js';
import { Panel } from '../../ui/panel.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import classes from './settings.module.css';

const SOURCES: Readonly<Record<LanguageModelAnswer['source'], string>> = {
  project: 'Questions of this project go to a model of its own.',
  installation: 'Questions go to the model of this installation. A model of its own would take its place for this project.',
  none: 'This installation has no language model: questions are read by rules. A model of its own makes more of them understood.',
};

const WAITING = <SkeletonRows rows={2} />;

/** The language model of a project, which can be any server with the OpenAI chat protocol. */
export function ModelPanel({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const model = useQuery(languageModelQuery(projectId));
  return (
    <Panel title="Language model of the project" note="For all of its databases that may use one.">
      {model.isPending ? WAITING : null}
      {model.isError ? <ErrorNotice title="The language model could not be read" error={model.error} onRetry={() => void model.refetch()} /> : null}
      {model.data ? (
        <Later instead={WAITING}>
          <p className={classes.facts}>{SOURCES[model.data.source]}{model.data.source === 'project' && !mayChange ? <> It is <strong>{model.data.model}</strong> at <span className="rh-mono">{model.data.base_url}</span>.</> : null}</p>
          {mayChange ? <ModelForm key={model.data.updated_at} projectId={projectId} model={model.data} /> : null}
        </Later>
      ) : null}
    </Panel>
  );
}

function ModelForm({ projectId, model }: { projectId: string; model: LanguageModelAnswer }) {
  const put = usePutLanguageModel(projectId);
  const forget = useForgetLanguageModel(projectId);
  const [address, setAddress] = useState(model.base_url ?? '');
  const [name, setName] = useState(model.model ?? '');
  const [key, setKey] = useState('');
  const [isLeaving, setLeaving] = useState(false);
  const isChanged = address.trim() !== (model.base_url ?? '') || name.trim() !== (model.model ?? '') || key !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    put.mutate({ base_url: address.trim(), model: name.trim(), ...(key === '' ? {} : { api_key: key }) });
  };
  return (
    <>
      <form onSubmit={submit} className={classes.fields}>
        <TextInput label="Address" description="Of a server that speaks the OpenAI chat protocol, on the public internet." placeholder="https://api.example.com/v1" type="url" maxLength={500} value={address} onChange={(event) => setAddress(event.currentTarget.value)} required autoComplete="off" spellCheck={false} />
        <TextInput label="Model" placeholder="its name there" maxLength={200} value={name} onChange={(event) => setName(event.currentTarget.value)} required autoComplete="off" spellCheck={false} />
        <PasswordInput label="Key of the model" description={model.has_key ? 'One is kept, and is never shown. Empty: it stays, as long as the address does.' : 'Sent as a bearer token. Kept sealed, and never shown again.'} maxLength={1_000} value={key} onChange={(event) => setKey(event.currentTarget.value)} autoComplete="off" />
        {put.isError ? <ErrorNotice title="The language model was not set" error={put.error} /> : null}
        <div className={classes.buttons}>
          <Button type="submit" loading={put.isPending} disabled={!isChanged || address.trim() === '' || name.trim() === ''}>Save the model</Button>
          {model.source === 'project' ? <Button variant="default" onClick={() => setLeaving(true)}>Forget it</Button> : null}
        </div>
      </form>
      <ConfirmDialog opened={isLeaving} title="Forget the language model?" actionLabel="Forget it" isPending={forget.isPending} error={forget.error} errorTitle="It was not forgotten" onClose={() => setLeaving(false)} onConfirm={() => forget.mutate(undefined, { onSuccess: () => setLeaving(false) })}>
        Its address and its key go. Questions are put to the model of this installation then, where there is one.
      </ConfirmDialog>
    </>
  );
}
