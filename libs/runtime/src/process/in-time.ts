/**
 * Returns the result of `pending`. Throws the error of `toFault` if `pending` has not settled after
 * `timeoutMs`. A later result is ignored.
 */
export async function inTime<T>(pending: Promise<T>, timeoutMs: number, toFault: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(toFault()), timeoutMs);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
