export interface PipelineCloser {
  /**
   * Closes the connection if it is idle now and stays idle for `drainMs`. It is called whenever the
   * connection may have become idle.
   */
  checkIdle(): void;
  /** Closes the connection at once, even if statements are waiting or running. */
  close(): void;
}

/**
 * Decides when a pipelined connection returns its session. It does so once, after the connection has been
 * idle for `drainMs`.
 */
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
