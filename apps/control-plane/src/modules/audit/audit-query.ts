import { z } from 'zod';
import { pageQuery } from '../../http/page-query.js';

const instant = z.iso.datetime({ offset: true });

export const auditQuery = pageQuery.extend({
  /** An action such as `key.create`, or all actions of a kind such as `key`. */
  action: z
    .string()
    .max(64)
    .regex(/^[a-z_]+(\.[a-z_]+)*$/)
    .optional(),
  account: z.string().max(40).optional(),
  since: instant.optional(),
  until: instant.optional(),
});

export type AuditQuery = z.infer<typeof auditQuery>;
