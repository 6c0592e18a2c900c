/**
 * Gives the browser time for painting and input before the caller continues. It uses a message, which is
 * faster than a timer, because browsers throttle timers.
 */
export function yieldToMain(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
