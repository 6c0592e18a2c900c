import { Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { shortType } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import classes from './tools.module.css';

interface ColumnsMenuProps {
  readonly opened: boolean;
  readonly columns: readonly ColumnView[];
  /** The names of the visible columns, in order. */
  readonly visible: readonly string[];
  readonly onChange: (visible: readonly string[] | null) => void;
  readonly onClose: () => void;
}

/** Selects which columns are visible, and their order. The selection is part of the URL. */
export function ColumnsMenu({ opened, columns, visible, onChange, onClose }: ColumnsMenuProps) {
  const ordered = [
    ...visible
      .map((name) => columns.find((column) => column.name === name))
      .filter((column) => column !== undefined),
    ...columns.filter((column) => !visible.includes(column.name)),
  ];
  const move = (index: number, by: number): void => {
    const next = [...visible];
    const [name] = next.splice(index, 1);
    if (name !== undefined) next.splice(index + by, 0, name);
    onChange(next);
  };
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Columns" size="sm">
      <ul className={classes.columns}>
        {ordered.map((column) => {
          const index = visible.indexOf(column.name);
          const isShown = index >= 0;
          return (
            <li key={column.name}>
              <Checkbox
                size="xs"
                checked={isShown}
                disabled={isShown && visible.length === 1}
                label={
                  <>
                    {column.name} <span className="rh-dim">{shortType(column)}</span>
                  </>
                }
                onChange={() =>
                  onChange(
                    isShown ? visible.filter((name) => name !== column.name) : [...visible, column.name],
                  )
                }
              />
              {isShown ? (
                <span>
                  <button
                    type="button"
                    className={classes.mover}
                    disabled={index === 0}
                    aria-label={`Move ${column.name} up`}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={14} />
                  </button>
                  <button
                    type="button"
                    className={classes.mover}
                    disabled={index === visible.length - 1}
                    aria-label={`Move ${column.name} down`}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={14} />
                  </button>
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={() => onChange(null)}>
          Show all
        </Button>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </DialogFrame>
  );
}
