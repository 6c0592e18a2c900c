import type { ProvenTwoFactorRequest } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import {
  useBeginTwoFactor,
  useConfirmTwoFactor,
  useRenewRecoveryCodes,
  useTurnOffTwoFactor,
} from '../../data/account/two-factor.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import { saveFile } from '../../ui/code/save-file.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { showToast } from '../../ui/notices/toasts.js';
import { CodeField, PasswordField } from './proof-fields.js';
import { QrCode } from './qr-code.js';
import classes from './account.module.css';

interface TwoFactorDialogProps {
  readonly opened: boolean;
  readonly email: string;
  readonly onClose: () => void;
}

/** Sets up an authenticator app: the password, then the QR code and a first code, then recovery codes. */
export function SetUpDialog({ opened, email, onClose }: TwoFactorDialogProps) {
  const begin = useBeginTwoFactor();
  const confirm = useConfirmTwoFactor();
  const close = (): void => {
    begin.reset();
    confirm.reset();
    onClose();
  };
  const codes = confirm.data?.recovery_codes;
  return (
    <DialogFrame
      opened={opened}
      onClose={close}
      title={codes === undefined ? 'Set up two-factor authentication' : 'Save your recovery codes'}
      closesLightly={codes === undefined}
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} email={email} onDone={close} />
      ) : begin.data !== undefined ? (
        <ScanForm setup={begin.data} confirm={confirm} onClose={close} />
      ) : (
        <PasswordForm email={email} begin={begin} onClose={close} />
      )}
    </DialogFrame>
  );
}

function PasswordForm({
  email,
  begin,
  onClose,
}: {
  email: string;
  begin: ReturnType<typeof useBeginTwoFactor>;
  onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    begin.mutate(password);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <p className={classes.note}>Confirm that it’s you before you add an authenticator app.</p>
      <PasswordField email={email} value={password} onChange={setPassword} isFocused />
      {begin.isError ? <ErrorNotice title="Couldn’t confirm your password" error={begin.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={begin.isPending} disabled={password === ''}>
          Continue
        </Button>
      </DialogActions>
    </form>
  );
}

function ScanForm({
  setup,
  confirm,
  onClose,
}: {
  setup: { readonly secret: string; readonly uri: string };
  confirm: ReturnType<typeof useConfirmTwoFactor>;
  onClose: () => void;
}) {
  const [code, setCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    confirm.mutate(code.trim());
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <p className={classes.note}>Scan this code with an authenticator app, or enter the key by hand.</p>
      <div className={classes.scan}>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <div>
          <span className={classes.label}>Key</span>
          <code className={classes.secret}>{setup.secret}</code>
          <CopyButton text={setup.secret} label="Copy key" caption="Copy" />
        </div>
      </div>
      <CodeField value={code} onChange={setCode} description="Six digits that the app shows now." isFocused />
      {confirm.isError ? <ErrorNotice title="Couldn’t confirm the code" error={confirm.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={confirm.isPending} disabled={code.trim().length < 6}>
          Turn on
        </Button>
      </DialogActions>
    </form>
  );
}

/** Replaces the recovery codes and shows the new ones. */
export function RenewDialog({ opened, email, onClose }: TwoFactorDialogProps) {
  const renew = useRenewRecoveryCodes();
  const close = (): void => {
    renew.reset();
    onClose();
  };
  const codes = renew.data?.recovery_codes;
  return (
    <DialogFrame
      opened={opened}
      onClose={close}
      title={codes === undefined ? 'New recovery codes' : 'Save your recovery codes'}
      closesLightly={codes === undefined}
    >
      {codes === undefined ? (
        <ProofForm
          email={email}
          note="Your current recovery codes stop working."
          actionLabel="Create codes"
          errorTitle="Couldn’t create recovery codes"
          change={renew}
          onSubmit={(proof) => renew.mutate(proof)}
          onClose={close}
        />
      ) : (
        <RecoveryCodes codes={codes} email={email} onDone={close} />
      )}
    </DialogFrame>
  );
}

/** Turns off two-factor authentication. */
export function TurnOffDialog({ opened, email, onClose }: TwoFactorDialogProps) {
  const turnOff = useTurnOffTwoFactor();
  const close = (): void => {
    turnOff.reset();
    onClose();
  };
  const submit = (proof: ProvenTwoFactorRequest): void =>
    turnOff.mutate(proof, {
      onSuccess: () => {
        close();
        showToast({ text: 'Two-factor authentication is off.' });
      },
    });
  return (
    <DialogFrame opened={opened} onClose={close} title="Turn off two-factor authentication?">
      <ProofForm
        email={email}
        note="Your password alone will sign you in, and your recovery codes are deleted."
        actionLabel="Turn off"
        color="brick"
        errorTitle="Couldn’t turn off two-factor authentication"
        change={turnOff}
        onSubmit={submit}
        onClose={close}
      />
    </DialogFrame>
  );
}

interface ProofFormProps {
  readonly email: string;
  readonly note: string;
  readonly actionLabel: string;
  readonly color?: string;
  readonly errorTitle: string;
  readonly change: { readonly isError: boolean; readonly error: unknown; readonly isPending: boolean };
  readonly onSubmit: (proof: ProvenTwoFactorRequest) => void;
  readonly onClose: () => void;
}

/** Asks for the password and a code before a change. */
function ProofForm({
  email,
  note,
  actionLabel,
  color,
  errorTitle,
  change,
  onSubmit,
  onClose,
}: ProofFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit({ password, code: code.trim() });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <p className={classes.note}>{note}</p>
      <PasswordField email={email} value={password} onChange={setPassword} isFocused />
      <CodeField
        value={code}
        onChange={setCode}
        description="From your authenticator app, or a recovery code."
      />
      {change.isError ? <ErrorNotice title={errorTitle} error={change.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          {...(color === undefined ? {} : { color })}
          loading={change.isPending}
          disabled={password === '' || code.trim().length < 6}
        >
          {actionLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Shows recovery codes, which cannot be shown again. */
function RecoveryCodes({
  codes,
  email,
  onDone,
}: {
  codes: readonly string[];
  email: string;
  onDone: () => void;
}) {
  const text = `Rowhouse recovery codes of ${email}. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <div className={classes.form}>
      <p className={classes.note}>
        Each code signs you in once if you lose your phone. Store them in a safe place. You won’t be able to
        see them again.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <span className={classes.acts}>
        <CopyButton text={text} label="Copy recovery codes" caption="Copy" />
        <Button
          variant="default"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'rowhouse-recovery-codes.txt')}
        >
          Download
        </Button>
      </span>
      <DialogActions>
        <Button onClick={onDone} data-autofocus>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
