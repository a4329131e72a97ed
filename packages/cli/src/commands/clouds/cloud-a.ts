import type { ByocSetup, CloudASetup } from '@sluice/client';
import { list } from '@sluice/terminal/options';
import type { CloudCommands } from './cloud.ts';

export const cloudA: CloudCommands = {
  account: 'account',
  setup: (setup: ByocSetup) => {
    const { service_org_id, external_id, trust_policy, permissions_policy } = setup as CloudASetup;
    return [
      ['Organization', service_org_id],
      ['External id', external_id],
      ['Trust policy', JSON.stringify(trust_policy)],
      ['Permissions policy', JSON.stringify(permissions_policy)],
    ];
  },
  access: {
    options: [
      ['--identity-arn <arn>', 'the role'],
      ['--external-id <id>', 'the one that sluice byoc setup shows'],
      ['--vpc-id <id>', 'the network for nodes'],
      ['--vpc-cidr <block>', 'the addresses of the network'],
    ],
    check: {
      accountId: 'account_id*',
      identityArn: 'identity_arn*',
      externalId: 'external_id',
      vpcId: 'vpc_id*',
    },
    create: {
      accountId: 'account_id*',
      identityArn: 'identity_arn',
      externalId: 'external_id',
      vpcId: 'vpc_id',
      vpcCidr: 'vpc_cidr',
    },
  },
  settings: {
    options: [
      ['--identity-arn <arn>', 'the role'],
      ['--external-id <id>', 'the one that sluice byoc setup shows'],
      ['--vpc-id <id>', 'the network for nodes'],
      ['--vpc-cidr <block>', 'the addresses of the network'],
    ],
    fields: {
      identityArn: 'identity_arn*',
      externalId: 'external_id*',
      vpcId: 'vpc_id*',
      vpcCidr: 'vpc_cidr',
    },
  },
  links: {
    peering: {
      options: [
        ['--peer-vpc-id <id>', 'your VPC'],
        ['--peer-owner-id <account>', 'the account of your VPC'],
        ['--peer-vpc-cidr <block>', 'the addresses of your network, such as 172.16.0.0/16'],
        ['--peer-region <region>', 'the region of your VPC, where it is another'],
      ],
      fields: {
        peerVpcId: 'peer_vpc_id*',
        peerOwnerId: 'peer_owner_id*',
        peerVpcCidr: 'peer_vpc_cidr*',
        peerRegion: 'peer_region',
      },
    },
    'private-link': {
      options: [
        ['--allowed-principals <accounts>', 'who may connect; unless given, any account', list],
        ['--no-acceptance-required', 'endpoints need not be accepted'],
      ],
      fields: { allowedPrincipals: 'allowed_principals', acceptanceRequired: 'acceptance_required' },
    },
    operations: async () => (await import('./cloud-a-links.ts')).cloudALinks,
  },
};
