/** Reads an API reference. The docs page loads this module and its imports without the emitters. */
export { makeTransportCall } from './make-client-call.js';
export type {
  ApiReference,
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceParameter,
} from './reference-types.js';
import type {
  ApiReference,
  ReferenceField,
  ReferenceOperation,
  ReferenceParameter,
} from './reference-types.js';

/** Returns the rules of a field as text, such as `required` or `response only`. */
export function describeRules({ isRequired, inRequest, inResponse }: ReferenceField): string {
  if (isRequired) return inResponse ? 'required' : 'required, request only';
  if (!inRequest) return 'response only';
  return inResponse ? 'optional' : 'optional, request only';
}

/** Returns the parameters of an operation, without filters. */
export function listParameters(
  { parameters }: Pick<ApiReference, 'parameters'>,
  { parameters: own, shared }: ReferenceOperation,
): ReferenceParameter[] {
  return [...own, ...shared.flatMap((key) => parameters[key] ?? [])];
}

/** Returns the query parameter of a filter. The empty suffix is equality. */
export function toFilterName(field: string, suffix: string): string {
  return suffix === '' ? field : `${field}__${suffix}`;
}
