/** Reads an API reference. The docs page loads this part without the emitters. */
export { makeTransportCall } from './make-client-call.js';
export { describeRules, listParameters, toFilterName } from './read-reference.js';
export type {
  ApiReference,
  ReferenceField,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceParameter,
} from './reference-types.js';
