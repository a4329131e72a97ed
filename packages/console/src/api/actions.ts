import { billingActions } from './billing-actions.ts';
import { deploymentActions } from './deployment-actions.ts';
import { organizationActions } from './organization-actions.ts';
import { peopleActions } from './people-actions.ts';
import type { Needed } from './permissions.ts';

export interface Action extends Needed {
  /** in the imperative, as on a button */
  label: string;
  /** the `operationId`, as in the document of its layer */
  operation: string;
  layer: 'main-api' | 'supervisor' | 'audit';
  /** another permission that is enough */
  or?: Needed;
}

/**
 * Every action of the console with its operation and the permission that the operation asks for. Buttons take it from here, and a test
 * compares it with the documents and has the API refuse each of them.
 */
export const actions = {
  ...billingActions,
  ...deploymentActions,
  ...peopleActions,
  ...organizationActions,
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
