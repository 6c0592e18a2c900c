import { ActionIcon, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import classes from './palette.module.css';

const Palette = lazy(() => import('./palette.js').then((module) => ({ default: module.Palette })));

/** Opens the command palette with a button or Ctrl+K. The palette's code is loaded on first use. */
export function PaletteTrigger({ isNarrow }: { isNarrow: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = (): void => {
    setWasOpened(true);
    setOpen(true);
  };
  useHotkeys([['mod+K', open]], [], true);
  return (
    <>
      {isNarrow ? (
        <ActionIcon aria-label="Search" size="lg" onClick={open}>
          <IconSearch size={18} />
        </ActionIcon>
      ) : (
        <button type="button" className={classes.trigger} onClick={open} aria-keyshortcuts="Control+K">
          <IconSearch size={15} aria-hidden />
          <span>Search</span>
          <Kbd size="xs">Ctrl K</Kbd>
        </button>
      )}
      {wasOpened ? (
        <Suspense fallback={null}>
          <Palette opened={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
