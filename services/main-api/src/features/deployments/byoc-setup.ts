import type { Cloud, TenantId } from '@sluice/contracts';
import type { components } from '../../generated/api.ts';

type Policy = components['schemas']['Policy'];

/** What a setup is made of. */
export interface SetupTerms {
  tenant: { id: TenantId; external_id: string };
  region: string;
  supervisor_url: string;
  /** who this installation is in the cloud */
  identity: string;
}

const version = '2012-10-17';
const tenantTag = 'sluice:tenant';

/** A role that Sluice can assume with the tenant's external id, and that can touch nothing but what Sluice has made. */
function cloudASetup({
  tenant,
  region,
  supervisor_url,
  identity,
}: SetupTerms): components['schemas']['CloudASetup'] {
  return {
    service_org_id: identity,
    external_id: tenant.external_id,
    trust_policy: trustPolicy(identity, tenant.external_id),
    permissions_policy: permissionsPolicy(String(tenant.id), region),
    supervisor_url,
    steps: [
      {
        title: 'Create the permissions policy',
        text: 'Create a policy from permissions_policy, as it is, in the account that the deployments shall be in.',
      },
      {
        title: 'Create the role',
        text: 'Create a role with trust_policy as its trust policy, as it is, and attach the permissions policy to it.',
      },
      {
        title: 'Choose the network',
        text: `Choose the VPC in ${region} that nodes shall be placed in; they only call out, to the supervisor.`,
      },
      {
        title: 'Create the deployment',
        text: 'With account_id, identity_arn (that of the role), external_id and vpc_id.',
      },
    ],
  };
}

function trustPolicy(identity: string, externalId: string): Policy {
  return {
    Version: version,
    Statement: [
      {
        Sid: 'Assume',
        Effect: 'Allow',
        Principal: { cloud_a: `arn:cloud_a:iam::${identity}:root` },
        Action: ['sts:AssumeRole'],
        Condition: { StringEquals: { 'sts:ExternalId': externalId } },
      },
    ],
  };
}

/**
 * The cloud looks at a request once for each thing that it touches, and only what the request makes has tags of the request: what it is made
 * from, or in, is allowed by itself. Tags are given to what is just being made, and to what is the tenant's already only those that
 * say how far something is: nobody makes theirs what was not.
 */
function permissionsPolicy(tenant: string, region: string): Policy {
  const inRegion = { 'cloud_a:RequestedRegion': region };
  const made = { [`cloud_a:RequestTag/${tenantTag}`]: tenant };
  const ours = { [`cloud_a:ResourceTag/${tenantTag}`]: tenant };
  const compute = (action: string) => `compute:${action}`;
  const things = (...kinds: string[]) => kinds.map((kind) => `arn:cloud_a:compute:${region}:*:${kind}/*`);
  const statement = (
    Sid: string,
    actions: string[],
    Resource: string | string[],
    more: Record<string, string | string[]> = {},
    anyOf?: Record<string, string[]>,
  ) => ({
    ...{ Sid, Effect: 'Allow' as const, Action: actions.map(compute), Resource },
    Condition: {
      StringEquals: { ...inRegion, ...more },
      ...(anyOf && { 'ForAllValues:StringEquals': anyOf }),
    },
  });
  const creations = ['CreateSecurityGroup', 'CreateSnapshot', 'CreateVolume', 'RunInstances'];
  return {
    Version: version,
    Statement: [
      statement('Look', reads, '*'),
      statement('Make', creations, things('instance', 'security-group', 'snapshot', 'volume'), made),
      statement('MakeIn', ['RunInstances'], things('image', 'network-interface', 'security-group', 'subnet')),
      statement('MakeInNetwork', ['CreateSecurityGroup'], things('vpc')),
      statement('MakeFrom', ['CreateSnapshot', 'CreateVolume'], things('snapshot', 'volume'), ours),
      statement('TagWhatIsMade', ['CreateTags'], '*', { ...made, 'compute:CreateAction': creations }),
      statement('TagHowFarItIs', ['CreateTags'], things('snapshot', 'volume'), ours, {
        'cloud_a:TagKeys': ['sluice:restored', 'sluice:whole'],
      }),
      statement('ChangeWhatWasMade', changes, '*', ours),
    ],
  };
}

const reads = [
  ...['DescribeImages', 'DescribeInstances', 'DescribeSecurityGroups', 'DescribeSnapshots'],
  ...['DescribeSubnets', 'DescribeVolumes', 'DescribeVpcs'],
];
const changes = [
  ...['AttachVolume', 'AuthorizeSecurityGroupIngress', 'DeleteSecurityGroup', 'DeleteSnapshot'],
  ...['DeleteVolume', 'ModifyInstanceAttribute', 'ModifyVolume', 'RevokeSecurityGroupIngress'],
  ...['StartInstances', 'StopInstances', 'TerminateInstances'],
];

const rolesInProject = [
  'roles/compute.instanceAdmin',
  'roles/compute.networkAdmin',
  'roles/iam.serviceAccountUser',
];
const toLendIt = 'roles/iam.serviceAccountTokenCreator';

/** A service account of the tenant's that Sluice may act as, by one of its own that is there for this tenant alone. */
function cloudBSetup({ tenant, supervisor_url, identity }: SetupTerms): components['schemas']['CloudBSetup'] {
  const service_account = `tenant-${tenant.external_id.replaceAll('-', '').slice(0, 16)}@${identity}`;
  const own = 'sluice@PROJECT_ID.iam.cloud-b.example';
  const create = 'cloud_b iam service-accounts create sluice --project PROJECT_ID';
  const grants = rolesInProject.map(
    (role) =>
      `cloud_b projects add-iam-policy-binding PROJECT_ID --member serviceAccount:${own} --role ${role}`,
  );
  const lend = `cloud_b iam service-accounts add-iam-policy-binding ${own} --project PROJECT_ID --member serviceAccount:${service_account} --role ${toLendIt}`;
  return {
    service_account,
    roles: rolesInProject,
    commands: [create, ...grants, lend],
    supervisor_url,
    steps: [
      {
        title: 'Create a service account',
        text: 'Sluice acts as it in your project. Put the id of the project in place of PROJECT_ID, here and below.',
        command: create,
      },
      ...grants.map((command, position) => ({
        title: `Let it work in the project (${position + 1} of ${grants.length})`,
        text: `It needs ${rolesInProject[position] ?? ''} to make and remove nodes.`,
        command,
      })),
      {
        title: 'Lend it to Sluice',
        text: `${service_account} is there for your tenant alone: nobody else's requests are made by it.`,
        command: lend,
      },
      {
        title: 'Create the deployment',
        text: 'With project_id, service_account_email and the name of the network that nodes shall be placed in.',
      },
    ],
  };
}

export const setups: Record<Cloud, (terms: SetupTerms) => components['schemas']['ByocSetup']> = {
  cloud_a: cloudASetup,
  cloud_b: cloudBSetup,
};
