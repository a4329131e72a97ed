import { cloudActions } from '../clouds/index.ts';
import { billingActions } from './billing-actions.ts';
import { deploymentActions } from './deployment-actions.ts';
import type { Action } from './action.ts';
import { organizationActions } from './organization-actions.ts';
import { peopleActions } from './people-actions.ts';

/**
 * Every action of the console with its operation and the permission that the operation asks for. Buttons take it from here, and a test
 * compares it with the documents and has the API refuse each of them.
 */
export const actions = {
  ...billingActions,
  ...deploymentActions,
  ...cloudActions,
  ...peopleActions,
  ...organizationActions,
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
