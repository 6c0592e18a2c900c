export interface LaneEnd {
  /** There may be nothing more to do: once that is so for as long as the lane lingers, it is over. */
  rest(): void;
  /** It is over now, whatever is left to do. */
  close(): void;
}

/** How a lane gives its session back: once, when it is idle, and after it has stayed open for `lingerMs` with nothing to do. */
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
