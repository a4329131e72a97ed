import type { CloudPages } from './cloud.ts';
import type { CloudBAction } from './cloud-b-actions.ts';

export const cloudB: CloudPages<CloudBAction> = {
  account: 'Project',
  access: {
    account: 'project_id',
    fields: [
      { key: 'project_id', label: 'Project', about: 'The id of the project' },
      { key: 'service_account_email', label: 'Service account', about: 'The account that is acted as' },
      { key: 'vpc_name', label: 'Network', about: 'The network that nodes are placed in' },
    ],
    check: (text) => ({
      account_id: text('project_id'),
      identity_arn: text('service_account_email'),
      vpc_id: text('vpc_name'),
    }),
  },
  settings: [
    { key: 'vpc_network', label: 'Network', about: 'The network that nodes are placed in' },
    { key: 'vpc_cidr', label: 'Block of the network', about: 'Such as 10.20.0.0/16' },
  ],
  links: async () => (await import('./cloud-b-links.ts')).cloudBLinks,
};
