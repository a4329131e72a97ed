import type { ByocSetup, CloudBSetup } from '@sluice/client';
import { list } from '@sluice/terminal/options';
import type { CloudCommands } from './cloud.ts';

export const cloudB: CloudCommands = {
  account: 'project',
  setup: (setup: ByocSetup) => {
    const { service_account, roles } = setup as CloudBSetup;
    return [
      ['Service account', service_account],
      ['Roles', roles.join(', ')],
    ];
  },
  access: {
    options: [
      ['--service-account-email <address>', 'the service account'],
      ['--vpc-name <name>', 'the network for nodes'],
    ],
    check: { accountId: 'account_id*', serviceAccountEmail: 'identity_arn*', vpcName: 'vpc_id*' },
    create: { accountId: 'project_id*', serviceAccountEmail: 'service_account_email*', vpcName: 'vpc_name' },
  },
  settings: {
    options: [
      ['--vpc-network <name>', 'the network for nodes'],
      ['--vpc-cidr <block>', 'the addresses of the network'],
    ],
    fields: { vpcNetwork: 'vpc_network', vpcCidr: 'vpc_cidr' },
  },
  links: {
    peering: {
      options: [
        ['--peer-vpc-name <name>', 'your network'],
        ['--peer-project-id <project>', 'the project of your network'],
        ['--peer-vpc-cidr <block>', 'the addresses of your network, such as 172.16.0.0/16'],
      ],
      fields: {
        peerVpcName: 'peer_vpc_name*',
        peerProjectId: 'peer_project_id*',
        peerVpcCidr: 'peer_vpc_cidr*',
      },
    },
    'private-link': {
      options: [
        ['--consumer-accept-lists <projects>', 'who is let in; unless given, any project', list],
        ['--connection-preference <preference>', 'accept_manual or accept_automatic, of other projects'],
        ['--enable-proxy-protocol', 'connections begin with a header of the PROXY protocol'],
      ],
      fields: {
        consumerAcceptLists: 'consumer_accept_lists',
        connectionPreference: 'connection_preference',
        enableProxyProtocol: 'enable_proxy_protocol',
      },
    },
    operations: async () => (await import('./cloud-b-links.ts')).cloudBLinks,
  },
};
