import type { DocsPageSettings } from '@rowhouse/contracts';
import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './settings.module.css';
import { shrinkLogo } from './shrink-logo.js';

interface DocsPageFieldProps {
  readonly page: DocsPageSettings | null;
  /** The name of the project, which is the default title. */
  readonly projectName: string;
  readonly onChange: (page: DocsPageSettings | null) => void;
}

const PLAIN: DocsPageSettings = { title: null, intro: null, accent_color: null, logo: null };
const ACCENT_DEFAULT = '#1f6249';

/** Fields for the appearance of the public docs page. If all are empty, the page has its default appearance. */
export function DocsPageField({ page, projectName, onChange }: DocsPageFieldProps) {
  const [error, setError] = useState<string | null>(null);
  const shown = page ?? PLAIN;
  const set = (part: Partial<DocsPageSettings>): void => {
    const next = { ...shown, ...part };
    onChange(Object.values(next).every((value) => value === null) ? null : next);
  };
  const chooseLogo = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      set({ logo: await shrinkLogo(file) });
      setError(null);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <div className={classes.fields}>
      <TextInput
        size="xs"
        label="Docs title"
        placeholder={projectName}
        maxLength={100}
        value={shown.title ?? ''}
        onChange={(event) => set({ title: event.currentTarget.value || null })}
      />
      <Textarea
        size="xs"
        label="Docs introduction"
        description="Plain text above the reference. Separate paragraphs with an empty line."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        value={shown.intro ?? ''}
        onChange={(event) => set({ intro: event.currentTarget.value || null })}
      />
      <div className={classes.add}>
        <TextInput
          size="xs"
          type="color"
          w={90}
          label="Accent color"
          value={shown.accent_color ?? ACCENT_DEFAULT}
          onChange={(event) => set({ accent_color: event.currentTarget.value })}
        />
        {shown.accent_color === null ? null : (
          <Button size="xs" variant="default" onClick={() => set({ accent_color: null })}>
            Use default color
          </Button>
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void chooseLogo(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default">
              {shown.logo === null ? 'Add logo' : 'Replace logo'}
            </Button>
          )}
        </FileButton>
        {shown.logo === null ? null : (
          <>
            <img src={shown.logo} alt="Logo of the docs page" height={28} />
            <Button size="xs" variant="default" onClick={() => set({ logo: null })}>
              Remove logo
            </Button>
          </>
        )}
      </div>
      {error === null ? null : (
        <p role="alert" className={classes.fault}>
          {error}
        </p>
      )}
    </div>
  );
}
