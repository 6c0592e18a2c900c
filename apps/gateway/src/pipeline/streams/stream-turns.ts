/**
 * The streams of a process take turns at its event loop: after a piece each one stands back until the requests that came
 * meanwhile had theirs, and only a few go on at once, however many there are.
 */
export interface StreamTurns {
  /** Calls back when the stream may go on: in a later turn of the event loop, behind the streams that wait already. */
  wait(goOn: () => void): void;
}

/** Bytes that a stream writes before it stands back: less than a millisecond of work, and about what a socket gives at once. */
export const TURN_BYTES = 64 * 1024;
const AT_ONCE = 2;

export function createStreamTurns(): StreamTurns {
  let line: (() => void)[] = [];
  let isScheduled = false;

  function schedule(): void {
    isScheduled = true;
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isScheduled = false;
    const next = line.slice(0, AT_ONCE);
    line = line.slice(AT_ONCE);
    for (const goOn of next) goOn();
    if (line.length > 0 && !isScheduled) schedule();
  }

  return {
    wait(goOn) {
      line.push(goOn);
      if (!isScheduled) schedule();
    },
  };
}
