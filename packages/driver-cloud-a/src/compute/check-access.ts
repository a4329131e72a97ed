import {
  CreateSecurityGroupCommand,
  CreateVolumeCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSnapshotsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
  EC2Client,
  RunInstancesCommand,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { STSClient } from '@aws-sdk/client-sts';
import type { AccessFinding } from '@sluice/drivers';
import { codeOf } from '../error-code.ts';
import { tagged } from '../tags.ts';
import { assumeRole, clientOptions, isDenied, type RoleAccess } from './access.ts';

export interface AccessCheckOptions {
  region: string;
  image: string;
}

/** Tries an access as far as that changes nothing: the role, its external id, the network, and what it may do. */
export function accessCheck({ region, image }: AccessCheckOptions) {
  const sts = new STSClient(clientOptions(region));

  return async (access: RoleAccess, tenantId: number, signal: AbortSignal): Promise<AccessFinding> => {
    const { external_id } = access;
    let credentials;
    try {
      credentials = await assumeRole(sts, access, external_id, signal);
    } catch (error) {
      return { error: roleError(access, error), unchecked: ['network', 'permissions'] };
    }
    // a role that does not ask is open to every tenant that knows its name
    if (await isOpen(sts, access, signal))
      return {
        error: `the role can be assumed without an external id: its trust policy has to ask for ${external_id}`,
        unchecked: ['network', 'permissions'],
      };
    const ec2 = new EC2Client({ ...clientOptions(region), credentials });
    try {
      return await lookInside(ec2, access, { image, tenantId, signal });
    } finally {
      ec2.destroy();
    }
  };
}

function roleError({ identity_arn, external_id }: RoleAccess, error: unknown): string {
  if (!isDenied(error)) return `the cloud could not be asked (AssumeRole: ${codeOf(error)})`;
  return (
    `the role ${identity_arn} cannot be assumed with the external id ${external_id}: ` +
    'either there is no such role, or its trust policy does not name the service_org_id of the setup, or asks for another external id'
  );
}

async function isOpen(sts: STSClient, access: RoleAccess, signal: AbortSignal): Promise<boolean> {
  return await assumeRole(sts, access, undefined, signal).then(
    () => true,
    () => false,
  );
}

interface Look {
  image: string;
  tenantId: number;
  signal: AbortSignal;
}

async function lookInside(ec2: EC2Client, access: RoleAccess, look: Look): Promise<AccessFinding> {
  const { vpc_id } = access;
  const { signal: abortSignal } = look;
  const network: { error?: string; subnet?: Subnet } = {};
  const missing: string[] = [];
  const attempt = async (action: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      abortSignal.throwIfAborted();
      const code = codeOf(error);
      if (code === 'DryRunOperation') return;
      if (isDenied(error)) missing.push(`compute:${action}`);
      else if (/^InvalidVpcI[dD]/.test(code)) network.error = `there is no VPC ${vpc_id} in this region`;
      else throw error;
    }
  };
  const ofVpc = { Filters: [{ Name: 'vpc-id', Values: [vpc_id] }] };
  try {
    await attempt('DescribeVpcs', () =>
      ec2.send(new DescribeVpcsCommand({ VpcIds: [vpc_id] }), { abortSignal }),
    );
    await attempt('DescribeSubnets', async () => {
      const { Subnets: [subnet] = [] } = await ec2.send(new DescribeSubnetsCommand(ofVpc), { abortSignal });
      if (subnet) network.subnet = subnet;
      else network.error ??= `the VPC ${vpc_id} has no subnet`;
    });
    for (const [action, command] of reads(look)) await attempt(action, () => command(ec2));
    for (const [action, command] of creations(access, network.subnet, look))
      await attempt(action, () => command(ec2));
  } catch (error) {
    return { error: `the cloud could not be asked (${codeOf(error)})`, unchecked: ['permissions'] };
  }
  if (missing.length > 0) return { error: `the role lacks ${missing.join(', ')}`, unchecked: [] };
  if (network.error !== undefined) return { error: network.error, unchecked: [] };
  return { unchecked: [] };
}

type Probe = readonly [action: string, command: (ec2: EC2Client) => Promise<unknown>];

const reads = ({ image, signal: abortSignal }: Look): Probe[] => [
  ['DescribeInstances', (ec2) => ec2.send(new DescribeInstancesCommand({ MaxResults: 5 }), { abortSignal })],
  ['DescribeVolumes', (ec2) => ec2.send(new DescribeVolumesCommand({ MaxResults: 5 }), { abortSignal })],
  [
    'DescribeSecurityGroups',
    (ec2) => ec2.send(new DescribeSecurityGroupsCommand({ MaxResults: 5 }), { abortSignal }),
  ],
  [
    'DescribeSnapshots',
    (ec2) => ec2.send(new DescribeSnapshotsCommand({ OwnerIds: ['self'], MaxResults: 5 }), { abortSignal }),
  ],
  [
    'DescribeImages',
    (ec2) => ec2.send(new DescribeImagesCommand({ ImageIds: [image], DryRun: true }), { abortSignal }),
  ],
];

/** What is only said to be wanted, as the tags of the setup's policy ask for it. */
function creations(
  { vpc_id }: RoleAccess,
  subnet: Subnet | undefined,
  { image, tenantId, signal: abortSignal }: Look,
): Probe[] {
  const tags = { 'sluice:tenant': String(tenantId) };
  const group = {
    ...{ GroupName: 'sluice-validation', Description: 'Sluice', VpcId: vpc_id },
    ...{ TagSpecifications: tagged('security-group', tags), DryRun: true },
  };
  const volume = {
    ...{ AvailabilityZone: subnet?.AvailabilityZone ?? 'any', Size: 10, Encrypted: true },
    ...{ TagSpecifications: tagged('volume', tags), DryRun: true },
  };
  const instance = {
    ...{ ImageId: image, MinCount: 1, MaxCount: 1, InstanceType: 't3.micro' as const, DryRun: true },
    ...(subnet?.SubnetId !== undefined && { SubnetId: subnet.SubnetId }),
    TagSpecifications: [...tagged('instance', tags), ...tagged('volume', tags)],
  };
  return [
    ['CreateSecurityGroup', (ec2) => ec2.send(new CreateSecurityGroupCommand(group), { abortSignal })],
    ['CreateVolume', (ec2) => ec2.send(new CreateVolumeCommand(volume), { abortSignal })],
    ['RunInstances', (ec2) => ec2.send(new RunInstancesCommand(instance), { abortSignal })],
  ];
}
