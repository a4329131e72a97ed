import { onNetwork } from './cloud.ts';

export const cloudAActions = {
  createCloudAPeering: { label: 'Add a peering', operation: 'createCloudAPeering', ...onNetwork },
  deleteCloudAPeering: { label: 'Delete', operation: 'deleteCloudAPeering', ...onNetwork },
  createEndpointService: { label: 'Add a private link', operation: 'createEndpointService', ...onNetwork },
  deleteEndpointService: { label: 'Delete', operation: 'deleteEndpointService', ...onNetwork },
} as const;

export type CloudAAction = keyof typeof cloudAActions;
