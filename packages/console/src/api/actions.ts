import { deploymentActions } from './deployment-actions.ts';
import type { Action } from './action.ts';

const tenant = (permission: string) => ({ scope: 'tenant', permission }) as const;

/**
 * Every action of the console with its operation and the permission that the operation asks for. Buttons take it from here, and a test
 * compares it with the documents and has the API refuse each of them.
 */
export const actions = {
  ...deploymentActions,
  inviteMember: {
    label: 'Invite a person',
    operation: 'createInvitation',
    layer: 'main-api',
    ...tenant('member:manage'),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
