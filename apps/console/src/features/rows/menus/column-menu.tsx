import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconCopy,
  IconEyeOff,
  IconFilter,
  IconX,
} from '@tabler/icons-react';
import { writeSort } from '../../../data/rows/parameter-names.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import { copyText } from '../../../ui/code/copy-text.js';
import { ContextMenu } from '../../../ui/controls/context-menu.js';
import { DropdownDivider, DropdownItem } from '../../../ui/controls/dropdown.js';
import { directionOf } from '../grid/grid-header.js';
import type { OpenGridMenu } from '../grid/use-grid-actions.js';
import { moveName } from './arrange-columns.js';

interface ColumnMenuProps {
  readonly open: OpenGridMenu;
  readonly column: ColumnView;
  /** The names of the visible columns, in order. */
  readonly visible: readonly string[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly onFilter: (column: string) => void;
  readonly onArrange: (names: readonly string[]) => void;
}

/** The menu of a column: sort, filter, hide and move it. */
export function ColumnMenu({ open, column, visible, sort, onSort, onFilter, onArrange }: ColumnMenuProps) {
  const { name } = column;
  const direction = directionOf(sort, name);
  const index = visible.indexOf(name);
  return (
    <ContextMenu label={`Menu for ${name}`} point={open.menu.point} onClose={open.onClose}>
      <DropdownItem
        icon={<IconArrowUp size={15} aria-hidden />}
        isChosen={direction === 'ascending'}
        onSelect={() => onSort(writeSort({ column: name, isDescending: false }))}
      >
        Sort ascending
      </DropdownItem>
      <DropdownItem
        icon={<IconArrowDown size={15} aria-hidden />}
        isChosen={direction === 'descending'}
        onSelect={() => onSort(writeSort({ column: name, isDescending: true }))}
      >
        Sort descending
      </DropdownItem>
      {direction === null ? null : (
        <DropdownItem icon={<IconX size={15} aria-hidden />} onSelect={() => onSort(undefined)}>
          Clear sort
        </DropdownItem>
      )}
      <DropdownItem icon={<IconFilter size={15} aria-hidden />} onSelect={() => onFilter(name)}>
        Filter by this column…
      </DropdownItem>
      <DropdownDivider />
      {index > 0 ? (
        <DropdownItem
          icon={<IconArrowLeft size={15} aria-hidden />}
          onSelect={() => onArrange(moveName(visible, name, -1))}
        >
          Move left
        </DropdownItem>
      ) : null}
      {index < visible.length - 1 ? (
        <DropdownItem
          icon={<IconArrowRight size={15} aria-hidden />}
          onSelect={() => onArrange(moveName(visible, name, 1))}
        >
          Move right
        </DropdownItem>
      ) : null}
      {visible.length > 1 ? (
        <DropdownItem
          icon={<IconEyeOff size={15} aria-hidden />}
          onSelect={() => onArrange(visible.filter((other) => other !== name))}
        >
          Hide column
        </DropdownItem>
      ) : null}
      <DropdownItem icon={<IconCopy size={15} aria-hidden />} onSelect={() => void copyText(name)}>
        Copy name
      </DropdownItem>
    </ContextMenu>
  );
}
