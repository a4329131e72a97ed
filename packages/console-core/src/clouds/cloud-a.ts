import type { CloudPages } from './cloud.ts';
import type { CloudAAction } from './cloud-a-actions.ts';

export const cloudA: CloudPages<CloudAAction> = {
  account: 'Account',
  access: {
    account: 'account_id',
    fields: [
      { key: 'account_id', label: 'Account', about: '12 digits' },
      { key: 'identity_arn', label: 'Role', about: 'The ARN of the role that is assumed' },
      { key: 'external_id', label: 'External id', about: 'The one that the steps show' },
      { key: 'vpc_id', label: 'VPC', about: 'The network that nodes are placed in' },
      { key: 'vpc_cidr', label: 'Block of the VPC', about: 'Its IPv4 addresses' },
    ],
    check: (text) => ({
      account_id: text('account_id'),
      identity_arn: text('identity_arn'),
      vpc_id: text('vpc_id'),
      ...(text('external_id') !== '' && { external_id: text('external_id') }),
    }),
  },
  settings: [
    { key: 'identity_arn', label: 'Role', about: 'The ARN of the role that is assumed' },
    { key: 'external_id', label: 'External id', about: 'What its trust policy asks for' },
    { key: 'vpc_id', label: 'VPC', about: 'The network that nodes are placed in' },
    { key: 'vpc_cidr', label: 'Block of the VPC', about: 'Such as 10.20.0.0/16' },
  ],
  links: async () => (await import('./cloud-a-links.ts')).cloudALinks,
};
