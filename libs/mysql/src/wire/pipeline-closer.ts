export interface PipelineCloser {
  /** Call it when the connection may have become idle. If it stays idle for `drainMs`, it is closed. */
  checkIdle(): void;
  /** Closes the connection at once, even if it has work. */
  close(): void;
}

/** Decides when a pipelined connection returns its session: once, after it has been idle for `drainMs`. */
export function createPipelineCloser({
  drainMs = 0,
  isIdle,
  onClosed,
}: {
  readonly drainMs?: number | undefined;
  readonly isIdle: () => boolean;
  readonly onClosed: () => void;
}): PipelineCloser {
  let isClosed = false;
  let drainTimer: NodeJS.Timeout | null = null;

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    if (drainTimer !== null) clearTimeout(drainTimer);
    onClosed();
  }

  return {
    checkIdle() {
      if (isClosed || !isIdle()) return;
      if (drainMs === 0) close();
      else if (drainTimer === null) drainTimer = setTimeout(() => isIdle() && close(), drainMs);
      else drainTimer.refresh();
    },
    close,
  };
}
