import { AppError } from '@rowhouse/errors';

/** Runs `work` on parameters that came in a body. Faults located in the query are relocated to the body. */
export function inBody<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.faults === undefined) throw thrown;
    const { code, hint, extra, internal, cause } = thrown;
    const faults = thrown.faults.map((fault) => (fault.loc[0] === 'query' ? { ...fault, loc: ['body', ...fault.loc.slice(1)] } : fault));
    throw new AppError(code, { ...(hint === undefined ? {} : { hint }), faults, extra, ...(internal === undefined ? {} : { internal }), cause });
  }
}
