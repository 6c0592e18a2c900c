import { AppError } from '@rowhouse/errors';

/** Runs `callback` on parameters that came in a body. Faults located in the query are relocated to the body. */
export function inBody<T>(callback: () => T): T {
  try {
    return callback();
  } catch (error) {
    if (!(error instanceof AppError) || error.faults === undefined) throw error;
    const { code, hint, extra, internal, cause } = error;
    const faults = error.faults.map((fault) =>
      fault.loc[0] === 'query' ? { ...fault, loc: ['body', ...fault.loc.slice(1)] } : fault,
    );
    throw new AppError(code, {
      ...(hint === undefined ? {} : { hint }),
      faults,
      extra,
      ...(internal === undefined ? {} : { internal }),
      cause,
    });
  }
}
