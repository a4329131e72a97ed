import type { CloudRecord } from '@sluice/contracts';

/** What packages/contracts/src/clouds.ts would say of it. */
export const cloudC: CloudRecord = {
  account: { id: 'organization_id', identity: 'workload_identity' },
  savedAccount: { pattern: /^org-\d{6}$/, expected: 'the id of an organization, such as org-123456' },
  access: {
    account_id: { pattern: /^org-\d{6}$/, expected: 'the id of an organization' },
    identity_arn: { pattern: /^wi-[a-z0-9]{1,40}$/, expected: 'the name of a workload identity' },
    vpc_id: { pattern: /^net-[a-z0-9]{1,40}$/, expected: 'the id of a network' },
  },
  hasExternalId: false,
  copiedStorage: ['network_balanced'],
};
