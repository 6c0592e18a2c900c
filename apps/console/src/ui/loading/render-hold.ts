export interface RenderHold {
  /** Delays the step from now on. Returns a function that releases the hold. */
  readonly hold: () => () => void;
  /**
   * Runs a step in a separate task once there is no hold. Returns a function that
   * cancels it. Only one step waits.
   */
  readonly resume: (step: () => void) => () => void;
}

/**
 * Counts holds outside of React state. Setting state while parts are mounted would start all of their work
 * before the browser could paint them.
 */
export function createRenderHold(): RenderHold {
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
    resume(step) {
      waiting = step;
      wake();
      return () => {
        if (waiting === step) waiting = undefined;
      };
    },
  };
}
