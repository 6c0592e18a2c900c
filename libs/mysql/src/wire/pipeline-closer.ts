export interface PipelineCloser {
  /** Reports that there may be nothing to do. It ends when this stays true for `drainMs`. */
  rest(): void;
  /** Ends it now, whatever is left to do. */
  close(): void;
}

/** Decides when a pipelined connection returns its session: once, after it has been idle for `drainMs`. */
export function createPipelineCloser({
  drainMs = 0,
  isIdle,
  onOver,
}: {
  readonly drainMs?: number | undefined;
  readonly isIdle: () => boolean;
  readonly onOver: () => void;
}): PipelineCloser {
  let isFinished = false;
  let lingering: NodeJS.Timeout | null = null;

  function close(): void {
    if (isFinished) return;
    isFinished = true;
    if (lingering !== null) clearTimeout(lingering);
    onOver();
  }

  return {
    rest() {
      if (isFinished || !isIdle()) return;
      if (drainMs === 0) close();
      else if (lingering === null) lingering = setTimeout(() => isIdle() && close(), drainMs);
      else lingering.refresh();
    },
    close,
  };
}
