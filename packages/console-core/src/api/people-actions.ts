import type { Action } from './action.ts';

const tenant = (permission: string) => ({ layer: 'main-api', scope: 'tenant', permission }) as const;
const members = tenant('member:manage');
const roles = tenant('role:manage');
const keys = tenant('api_key:manage');
const divisionKeys = { layer: 'main-api', scope: 'division', permission: 'api_key:manage' } as const;

/** The actions on members, roles and API keys. */
export const peopleActions = {
  inviteMember: { label: 'Invite a person', operation: 'createInvitation', ...members },
  withdrawInvitation: { label: 'Withdraw', operation: 'deleteInvitation', ...members },
  changeMember: { label: 'Change', operation: 'updateMember', ...members },
  removeMember: { label: 'Remove', operation: 'deleteMember', ...members },
  approveJoinRequest: { label: 'Approve', operation: 'approveJoinRequest', ...members },
  rejectJoinRequest: { label: 'Reject', operation: 'rejectJoinRequest', ...members },
  createRole: { label: 'Create a role', operation: 'createRole', ...roles },
  changeRole: { label: 'Edit', operation: 'updateRole', ...roles },
  deleteRole: { label: 'Delete', operation: 'deleteRole', ...roles },
  assignRole: { label: 'Give it to a member', operation: 'assignRole', ...roles },
  revokeRole: { label: 'Take it away', operation: 'revokeRole', ...roles },
  simulateRoles: { label: 'Try it', operation: 'simulateRoles', ...tenant('role:read') },
  createKey: { label: 'Create a key', operation: 'createApiKey', ...keys },
  changeKeyAddresses: { label: 'Addresses', operation: 'updateApiKeySecurity', ...keys },
  rotateKey: { label: 'Rotate', operation: 'rotateApiKey', ...keys },
  deleteKey: { label: 'Revoke', operation: 'deleteApiKey', ...keys },
  createDivisionKey: { label: 'Create a key', operation: 'createDivisionApiKey', ...divisionKeys },
  changeDivisionKeyAddresses: {
    label: 'Addresses',
    operation: 'updateDivisionApiKeySecurity',
    ...divisionKeys,
  },
  rotateDivisionKey: { label: 'Rotate', operation: 'rotateDivisionApiKey', ...divisionKeys },
  deleteDivisionKey: { label: 'Revoke', operation: 'deleteDivisionApiKey', ...divisionKeys },
} as const satisfies Record<string, Action>;
