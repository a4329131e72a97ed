import type { Needed } from './permissions.ts';

export interface Action extends Needed {
  /** in the imperative, as on a button */
  label: string;
  /** the `operationId`, as in the document of its layer */
  operation: string;
  layer: 'main-api' | 'supervisor' | 'audit';
}

const environment = (permission: string) => ({ scope: 'environment', permission }) as const;
const tenant = (permission: string) => ({ scope: 'tenant', permission }) as const;

/**
 * Every action of the console with its operation and the permission that the operation asks for. Buttons take it from here, and a test
 * compares it with the documents and has the API refuse each of them.
 */
export const actions = {
  createStarter: {
    label: 'Create a starter deployment',
    operation: 'createStarterDeployment',
    layer: 'main-api',
    ...environment('deployment:manage'),
  },
  createDeployment: {
    label: 'Create a deployment',
    operation: 'createManagedDeployment',
    layer: 'main-api',
    ...environment('deployment:manage'),
  },
  deleteDeployment: {
    label: 'Delete the deployment',
    operation: 'deleteDeployment',
    layer: 'main-api',
    ...environment('deployment:manage'),
  },
  retryDeployment: {
    label: 'Try again',
    operation: 'retryDeployment',
    layer: 'supervisor',
    ...environment('deployment:manage'),
  },
  acceptDataLoss: {
    label: 'Accept the loss',
    operation: 'acceptDataLoss',
    layer: 'supervisor',
    ...environment('deployment:manage'),
  },
  inviteMember: {
    label: 'Invite a person',
    operation: 'createInvitation',
    layer: 'main-api',
    ...tenant('member:manage'),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
