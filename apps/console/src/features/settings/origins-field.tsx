import { toOrigin } from '@rowhouse/contracts/to-origin';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './settings.module.css';

interface OriginsFieldProps {
  /** The allowed origins. With null, pages from any site may call the API. */
  readonly origins: readonly string[] | null;
  readonly onChange: (origins: readonly string[] | null) => void;
}

/** Lists the origins whose pages may call the API, and adds one. An empty list allows any site. */
export function OriginsField({ origins, onChange }: OriginsFieldProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const chosen = origins ?? [];
  const change = (list: readonly string[]): void => onChange(list.length === 0 ? null : list);
  const add = (): void => {
    const origin = toOrigin(text);
    if (origin === null) {
      setError('Enter an origin like https://app.example.com, without a path.');
      return;
    }
    if (!chosen.includes(origin)) change([...chosen, origin]);
    setText('');
  };
  return (
    <>
      {chosen.length > 0 ? (
        <ul className={classes.pills} aria-label="Allowed origins">
          {chosen.map((origin) => (
            <li key={origin} className={classes.pill}>
              {origin}
              <ActionIcon
                size="sm"
                aria-label={`Remove ${origin}`}
                onClick={() => change(chosen.filter((item) => item !== origin))}
              >
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={classes.add}>
        <TextInput
          size="xs"
          w={280}
          label="Origin"
          placeholder="https://app.example.com"
          value={text}
          error={error}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
          onKeyDown={(event) => {
            // The default action of Enter would save the whole form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button size="xs" variant="default" onClick={add} disabled={text.trim() === ''}>
          Add origin
        </Button>
      </div>
    </>
  );
}
