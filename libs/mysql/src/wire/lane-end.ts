export interface LaneEnd {
  /** Reports that there may be nothing to do. It ends when this stays true for `lingerMs`. */
  rest(): void;
  /** Ends it now, whatever is left to do. */
  close(): void;
}

/** Decides when a pipelined connection returns its session: once, after it has been idle for `lingerMs`. */
export function createLaneEnd({ lingerMs = 0, isIdle, onOver }: { readonly lingerMs?: number | undefined; readonly isIdle: () => boolean; readonly onOver: () => void }): LaneEnd {
  let isOver = false;
  let lingering: NodeJS.Timeout | null = null;

  function close(): void {
    if (isOver) return;
    isOver = true;
    if (lingering !== null) clearTimeout(lingering);
    onOver();
  }

  return {
    rest() {
      if (isOver || !isIdle()) return;
      if (lingerMs === 0) close();
      else if (lingering === null) lingering = setTimeout(() => isIdle() && close(), lingerMs);
      else lingering.refresh();
    },
    close,
  };
}
