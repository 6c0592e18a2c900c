import { useState } from 'react';
import { spanBlock, type CellBlock } from './cell-block.js';
import type { CellPlace } from './move-active.js';

export interface ActiveCell {
  readonly active: CellPlace;
  /** The block of cells that is marked, with the active cell in one corner; null: none is. */
  readonly block: CellBlock | null;
  /** What the clipboard is about: the block, else the active cell. */
  readonly marked: CellBlock;
  /** Goes to a cell; `isWider` marks everything from the cell where it began. */
  readonly activate: (place: CellPlace, isWider?: boolean) => void;
  readonly leaveBlock: () => void;
}

/** Which cell is active, and the block that reaches from a corner up to it. */
export function useActiveCell(): ActiveCell {
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<CellPlace | null>(null);
  const marked = spanBlock(anchor ?? active, active);
  return {
    active,
    block: anchor === null ? null : marked,
    marked,
    activate: (place, isWider = false) => {
      setAnchor(isWider ? (anchor ?? active) : null);
      setActive(place);
    },
    leaveBlock: () => setAnchor(null),
  };
}
