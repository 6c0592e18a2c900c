import type { PipeTransform } from '@nestjs/common';
import { FAULTS_MAX, validationError, type FieldFault } from '@rowhouse/errors';

import { z } from 'zod';

/** The paging parameters of lists without a size limit. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(64).optional(),
});

/** Validates a body or a query with a schema. Reports up to a hundred faults as a 422 list. */
export class ZodPipe<S extends z.ZodType> implements PipeTransform<unknown, z.output<S>> {
  constructor(
    private readonly place: 'body' | 'query',
    private readonly schema: S,
  ) {}

  transform(value: unknown): z.output<S> {
    const parsed = this.schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    throw validationError(
      this.place === 'body' ? 'body.invalid' : 'params.invalid',
      parsed.error.issues
        .slice(0, FAULTS_MAX)
        .flatMap((issue) => toFaults(this.place, issue))
        .slice(0, FAULTS_MAX),
    );
  }
}

/** Reports each unknown member as a separate fault at its location. */
function toFaults(placement: string, issue: z.core.$ZodIssue): FieldFault[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, FAULTS_MAX).map((key) => ({
      loc: [placement, ...path, key],
      msg: 'Unknown field.',
      type: 'extra_forbidden',
    }));
  }
  // The fault reveals only whether the input is missing, because the input may be a password.
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [
    {
      loc: [placement, ...path],
      msg: isMissing ? 'Field required' : issue.message,
      type: isMissing ? 'missing' : issue.code,
    },
  ];
}
