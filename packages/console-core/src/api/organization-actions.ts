import type { Action } from './action.ts';

const tenant = (permission: string) => ({ layer: 'main-api', scope: 'tenant', permission }) as const;
const settings = tenant('settings:manage');

/** The actions on the organization itself. Its deletion is for its owner, who needs no permission. */
export const organizationActions = {
  changeTenant: { label: 'Save', operation: 'updateTenant', ...tenant('info:manage') },
  changeJoining: { label: 'Save', operation: 'replaceTenantConfig', ...settings },
  createCloudAccount: { label: 'Add an account', operation: 'createCloudAccount', ...settings },
  changeCloudAccount: { label: 'Edit', operation: 'updateCloudAccount', ...settings },
  deleteCloudAccount: { label: 'Delete', operation: 'deleteCloudAccount', ...settings },
  changePlan: { label: 'Change the plan', operation: 'changeSubscription', ...tenant('subscription:manage') },
} as const satisfies Record<string, Action>;
