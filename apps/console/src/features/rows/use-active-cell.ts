import { useState } from 'react';
import { spanBlock, type CellBlock } from './cell-block.js';
import type { CellPosition } from './move-active.js';

export interface ActiveCell {
  readonly active: CellPosition;
  /** The selected block with the active cell at one corner. Null without a selection. */
  readonly block: CellBlock | null;
  /** The cells that the clipboard uses: the selected block, or the active cell. */
  readonly marked: CellBlock;
  /** Moves to a cell. `isWider` selects everything from the cell where the selection started. */
  readonly activate: (cell: CellPosition, isWider?: boolean) => void;
  readonly leaveBlock: () => void;
}

/** Returns the active cell, and the block selected from a corner to it. */
export function useActiveCell(): ActiveCell {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<CellPosition | null>(null);
  const marked = spanBlock(anchor ?? active, active);
  return {
    active,
    block: anchor === null ? null : marked,
    marked,
    activate: (cell, isWider = false) => {
      setAnchor(isWider ? (anchor ?? active) : null);
      setActive(cell);
    },
    leaveBlock: () => setAnchor(null),
  };
}
