import { onNetwork } from './cloud.ts';

export const cloudBActions = {
  createCloudBPeering: { label: 'Add a peering', operation: 'createCloudBPeering', ...onNetwork },
  deleteCloudBPeering: { label: 'Delete', operation: 'deleteCloudBPeering', ...onNetwork },
  createServiceAttachment: {
    label: 'Add a private link',
    operation: 'createServiceAttachment',
    ...onNetwork,
  },
  deleteServiceAttachment: { label: 'Delete', operation: 'deleteServiceAttachment', ...onNetwork },
} as const;

export type CloudBAction = keyof typeof cloudBActions;
