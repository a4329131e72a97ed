import { clouds, type Cloud, type CloudAccess, type TenantId } from '@sluice/contracts';
import { canonicalIpv4Block } from '@sluice/system';
import type { components } from '../../generated/api.ts';
import type { CloudAccountSettings } from '../organization/cloud-accounts/cloud-account-rules.ts';

type Policy = components['schemas']['Policy'];

interface SetupTerms {
  tenant: { id: TenantId; external_id: string };
  region: string;
  supervisor_url: string;
  identity: string;
}

export type AccessInput = Pick<components['schemas']['ByocDeploymentInput'], Cloud | 'cloud'>;
export type Refuse = (field: string, code: string, message: string) => void;

/** What an access is planned by. */
interface AccessTerms {
  tenant: { external_id: string };
  input: AccessInput;
  /** of the cloud account that the tenant has saved */
  saved: CloudAccountSettings;
  refuse: Refuse;
}

interface ByocCloud {
  setup(terms: SetupTerms): components['schemas']['ByocSetup'];
  plan(terms: AccessTerms): CloudAccess;
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

const trustPolicy = (identity: string, externalId: string): Policy => ({
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
});

/**
 * The cloud looks at a request once for each thing that it touches, and only what the request makes has tags of the request: what it is made
 * from, or in, is allowed by itself. Tags are given to what is just being made, and to what is the tenant's already only those that
 * say how far something is: a tag cannot make foreign things the tenant's.
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
        text: `${service_account} is there for your tenant alone: no requests of other tenants are made by it.`,
        command: lend,
      },
      {
        title: 'Create the deployment',
        text: 'With project_id, service_account_email and the name of the network that nodes shall be placed in.',
      },
    ],
  };
}

const requiredUnlessSaved = 'is required where no active cloud account is saved with it';
/** settings of a cloud account may have another ARN */
const role = clouds.cloud_a.access.identity_arn.pattern;

/** A role is only taken with the tenant's own external id: otherwise a tenant that knows of another's role could have Sluice work there. */
function planRole(
  given: components['schemas']['CloudAAccess'],
  { tenant, saved: { cloud_a: saved }, refuse }: AccessTerms,
): NonNullable<CloudAccess['cloud_a']> {
  const { account_id } = given;
  const resolved = (field: 'identity_arn' | 'external_id' | 'vpc_id') => {
    const value = given[field] ?? saved?.[field];
    if (value === undefined) refuse(`cloud_a/${field}`, 'required', requiredUnlessSaved);
    return value ?? '';
  };
  const identity_arn = resolved('identity_arn');
  const external_id = resolved('external_id');
  const vpc_id = resolved('vpc_id');
  if (identity_arn && !role.test(identity_arn))
    refuse('cloud_a/identity_arn', 'wrong_format', 'is not the ARN of a role');
  else if (identity_arn && identity_arn.split(':')[4] !== account_id)
    refuse('cloud_a/identity_arn', 'not_together', 'is a role of another account than account_id');
  if (external_id && external_id !== tenant.external_id)
    refuse('cloud_a/external_id', 'not_allowed', 'is not the external id that the setup shows');
  const vpc_cidr = given.vpc_cidr ?? (vpc_id === saved?.vpc_id ? saved.vpc_cidr : null) ?? null;
  const written = vpc_cidr !== null ? canonicalIpv4Block(vpc_cidr) : null;
  if (written !== vpc_cidr)
    refuse(
      'cloud_a/vpc_cidr',
      'wrong_format',
      `has to be an IPv4 CIDR${written ? `, such as ${written}` : ''}`,
    );
  return { account_id, identity_arn, external_id, vpc_id, vpc_cidr };
}

function planServiceAccount(
  { project_id, service_account_email, ...given }: components['schemas']['CloudBAccess'],
  { saved: { cloud_b: saved }, refuse }: AccessTerms,
): NonNullable<CloudAccess['cloud_b']> {
  const vpc_name = given.vpc_name ?? saved?.vpc_network ?? '';
  if (!vpc_name) refuse('cloud_b/vpc_name', 'required', requiredUnlessSaved);
  const vpc_cidr = vpc_name === (saved?.vpc_network ?? vpc_name) ? saved?.vpc_cidr : null;
  return { project_id, service_account_email, vpc_name, ...(vpc_cidr && { vpc_cidr }) };
}

/** What differs between clouds where deployments are in accounts of tenants. */
export const byocClouds: Record<Cloud, ByocCloud> = {
  cloud_a: {
    setup: cloudASetup,
    plan: (terms) => (terms.input.cloud_a ? { cloud_a: planRole(terms.input.cloud_a, terms) } : {}),
  },
  cloud_b: {
    setup: cloudBSetup,
    plan: (terms) => (terms.input.cloud_b ? { cloud_b: planServiceAccount(terms.input.cloud_b, terms) } : {}),
  },
};
