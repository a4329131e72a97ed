import type { Needed } from './permissions.ts';

/** What a person can do, and what it asks for. */
export interface Action extends Needed {
  /** in the imperative, as on a button */
  label: string;
  /** the `operationId`, as in the document of its layer */
  operation: string;
  layer: 'main-api' | 'supervisor' | 'audit';
  /** another permission that is enough */
  or?: Needed;
}
