export interface RenderHold {
  /** Prevents the waiting step from running. Returns a function that ends this hold. */
  readonly hold: () => () => void;
  /**
   * Runs a step in a separate task once no hold is active. Returns a function that cancels the step. At most
   * one step waits.
   */
  readonly resume: (step: () => void) => () => void;
}

/**
 * Counts active holds outside of React's state. Setting state while parts are being mounted would start all
 * of their work before the browser could paint them.
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
