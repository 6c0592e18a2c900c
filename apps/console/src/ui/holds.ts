export interface Holds {
  /** From now on the step waits; gives the way to end that. */
  readonly hold: () => () => void;
  /** Has a step done in a task of its own as soon as nobody holds; gives the way to call it off. One step waits at a time. */
  readonly goOn: (step: () => void) => () => void;
}

/**
 * Counts who makes others wait, beside React: a state would be set while parts are put on the page, and then all that they begin
 * with (calls above all) would be done before the browser could draw them.
 */
export function createHolds(): Holds {
  let holds = 0;
  let waiting: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const step = holds === 0 ? waiting : undefined;
      if (step === undefined) return;
      waiting = undefined;
      step();
    });
  };
  return {
    hold() {
      let isHolding = true;
      holds += 1;
      return () => {
        if (isHolding) holds -= 1;
        isHolding = false;
        wake();
      };
    },
    goOn(step) {
      waiting = step;
      wake();
      return () => {
        if (waiting === step) waiting = undefined;
      };
    },
  };
}
