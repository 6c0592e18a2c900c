import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import classes from '../rows.module.css';
import type { Staged } from './staged-changes.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';

interface StagedBarProps {
  readonly environment: string;
  readonly staged: Staged;
  readonly isPending: boolean;
  readonly canUndo: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly onUndo: () => void;
}

/** The bar for unsaved changes. They are saved together: if one is rejected, none is saved. */
export function StagedBar({
  environment,
  staged,
  isPending,
  canUndo,
  onSave,
  onDiscard,
  onUndo,
}: StagedBarProps) {
  const count = staged.changes.length;
  if (count === 0) return null;
  const isProduction = environment === 'production';
  return (
    <div
      className={classes.staged}
      role="region"
      aria-label="Changes"
      data-production={isProduction || undefined}
    >
      <span role="status">
        <strong>{formatCountOf(count, 'change')}</strong> <span className="rh-dim">{summarize(staged)}</span>
      </span>
      <span className={classes.selected}>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowBackUp size={15} />}
          onClick={onUndo}
          disabled={!canUndo || isPending}
        >
          Undo
        </Button>
        <Button size="xs" variant="default" onClick={onDiscard} disabled={isPending}>
          Discard
        </Button>
        <Button size="xs" color={isProduction ? 'brick' : 'pine'} onClick={onSave} loading={isPending}>
          {isProduction ? 'Save to production' : 'Save'}
        </Button>
      </span>
    </div>
  );
}

function summarize({ changes }: Staged): string {
  const words = { insert: 'new', update: 'edited', delete: 'deleted' } as const;
  const parts = (['insert', 'update', 'delete'] as const).map(
    (kind) => [changes.filter((change) => change.kind === kind).length, words[kind]] as const,
  );
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
