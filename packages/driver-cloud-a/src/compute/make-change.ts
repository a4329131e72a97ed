import { hash } from 'node:crypto';
import {
  AttachVolumeCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateVolumeCommand,
  DescribeImagesCommand,
  DescribeSubnetsCommand,
  ModifyInstanceAttributeCommand,
  ModifyVolumeCommand,
  RevokeSecurityGroupIngressCommand,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
  type BlockDeviceMapping,
  type EC2Client,
  type RunInstancesCommandInput,
  type Subnet,
  type Volume,
} from '@aws-sdk/client-ec2';
import { tagged } from '../tags.ts';
import type { DriverCall } from '@sluice/drivers';
import { unlessCode } from './access.ts';
import type { Change, WantedInstance } from './next-change.ts';
import { systemTag, tagsOf, tokenTag, type NodeOwner } from './observed-state.ts';

export interface Site {
  ec2: EC2Client;
  owner: NodeOwner;
  vpcId: string;
  image: string;
  /** whether clients come from outside of the VPC */
  isPublic: boolean;
  /** whether the instance is on hardware of this account alone */
  isDedicated: boolean;
  wanted: WantedInstance;
  now: Date;
  /** A new token, and what an instance runs at its first start with it and this volume; undefined when an agent has enrolled meanwhile. */
  enrolment(volumeId: string): Promise<{ mark: string; userData: string } | undefined>;
  call: DriverCall;
}

export type Doing = Exclude<Change, { do: 'wait' | 'nothing' }>;

/** Repeating a request whose answer was lost makes nothing twice: the cloud knows it by this for a day. */
const clientToken = (...parts: (string | number)[]) => hash('sha256', parts.join(' ')).slice(0, 60);
const repeatMilliseconds = 10 * 60_000;
/** GiB */
const leastSystem = 10;
const device = '/dev/sdf';

export async function makeChange(site: Site, change: Doing): Promise<void> {
  switch (change.do) {
    case 'create_group':
      return await createGroup(site);
    case 'set_rules':
      return await setRules(site, change);
    case 'create_volume':
      return await createVolume(site);
    case 'run_instance':
      return await runInstance(site, change);
    default: {
      const { ec2, call } = site;
      await call.confirm();
      await changeInPlace(ec2, change, { abortSignal: call.signal });
    }
  }
}

type InPlace = Exclude<
  Doing,
  { do: 'create_group' | 'create_volume' } | { do: 'set_rules' } | { do: 'run_instance' }
>;

async function changeInPlace(
  ec2: EC2Client,
  change: InPlace,
  send: { abortSignal: AbortSignal },
): Promise<unknown> {
  switch (change.do) {
    case 'grow_volume':
      return await ec2.send(new ModifyVolumeCommand({ VolumeId: change.volume, Size: change.size }), send);
    case 'terminate':
      return await ec2.send(new TerminateInstancesCommand({ InstanceIds: [change.instance] }), send);
    case 'stop':
      return await ec2.send(new StopInstancesCommand({ InstanceIds: [change.instance] }), send);
    case 'start':
      return await ec2.send(new StartInstancesCommand({ InstanceIds: [change.instance] }), send);
    case 'set_type': {
      const wanted = { InstanceId: change.instance, InstanceType: { Value: change.type } };
      return await ec2.send(new ModifyInstanceAttributeCommand(wanted), send);
    }
    case 'attach': {
      const wanted = { InstanceId: change.instance, VolumeId: change.volume, Device: device };
      return await ec2.send(new AttachVolumeCommand(wanted), send);
    }
  }
}

async function createGroup({ ec2, owner, vpcId, call }: Site): Promise<void> {
  const wanted = {
    GroupName: `sluice-${owner.nodeId}-${owner.deployment.slice(0, 8)}`,
    Description: 'Who reaches a node of Sluice',
    VpcId: vpcId,
    TagSpecifications: tagged('security-group', tagsOf(owner)),
  };
  await call.confirm();
  await ec2.send(new CreateSecurityGroupCommand(wanted), { abortSignal: call.signal });
}

/** What is admitted comes before what is no more, so that no client that is admitted is cut, unless the group has no room for both. */
async function setRules({ ec2, call }: Site, change: Extract<Change, { do: 'set_rules' }>): Promise<void> {
  const { group: GroupId, added, removed, hasRoom } = change;
  const send = { abortSignal: call.signal };
  const authorize = async () => {
    if (added.length === 0) return;
    const command = new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: added });
    await call.confirm();
    await ec2.send(command, send).catch(unlessCode('InvalidPermission.Duplicate'));
  };
  const revoke = async () => {
    if (removed.length === 0) return;
    const command = new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions: removed });
    await call.confirm();
    await ec2.send(command, send).catch(unlessCode('InvalidPermission.NotFound'));
  };
  for (const step of hasRoom ? [authorize, revoke] : [revoke, authorize]) await step();
}

async function createVolume(site: Site): Promise<void> {
  const { ec2, owner, wanted, call } = site;
  const { AvailabilityZone } = await subnetFor(site);
  const command = new CreateVolumeCommand({
    ...{ AvailabilityZone, Size: wanted.storage, VolumeType: 'gp3', Encrypted: true },
    TagSpecifications: tagged('volume', tagsOf(owner)),
    // one that was lost, and accepted as lost, is made again
    ClientToken: clientToken(
      'volume',
      owner.deployment,
      owner.nodeId,
      Math.floor(site.now.getTime() / repeatMilliseconds),
    ),
  });
  await call.confirm();
  await ec2.send(command, { abortSignal: call.signal });
}

/** The volume of the instance's system, as the image has it, with room for the programs. */
async function systemVolume({ ec2, image, call: { signal } }: Site): Promise<BlockDeviceMapping> {
  const command = new DescribeImagesCommand({ ImageIds: [image] });
  const { Images: [found] = [] } = await ec2.send(command, { abortSignal: signal });
  const DeviceName = found?.RootDeviceName ?? '/dev/xvda';
  const mapping = found?.BlockDeviceMappings?.find((one) => one.DeviceName === DeviceName);
  const VolumeSize = Math.max(leastSystem, mapping?.Ebs?.VolumeSize ?? 0);
  const Ebs = { Encrypted: true, VolumeType: 'gp3' as const, DeleteOnTermination: true, VolumeSize };
  return { DeviceName, Ebs };
}

/** The same one each time, and in the zone of the volume once there is one. */
async function subnetFor({ ec2, owner, vpcId, call }: Site, volume?: Volume): Promise<Subnet> {
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const command = new DescribeSubnetsCommand({ Filters, MaxResults: 1_000 });
  const { Subnets = [] } = await ec2.send(command, { abortSignal: call.signal });
  const zone = volume?.AvailabilityZone;
  const fitting = Subnets.filter(
    ({ VpcId, AvailabilityZone, AvailableIpAddressCount = 1 }) =>
      VpcId === vpcId && AvailableIpAddressCount > 0 && (zone === undefined || AvailabilityZone === zone),
  ).sort((one, other) => ((one.SubnetId ?? '') < (other.SubnetId ?? '') ? -1 : 1));
  const subnet = fitting[owner.nodeId % Math.max(1, fitting.length)];
  if (!subnet)
    throw new Error(`the VPC ${vpcId} has no subnet with a free address${zone ? ` in ${zone}` : ''}`);
  return subnet;
}

async function runInstance(
  site: Site,
  { volume, group }: Extract<Change, { do: 'run_instance' }>,
): Promise<void> {
  const { ec2, owner, image, isPublic, isDedicated, wanted, call } = site;
  const { SubnetId } = await subnetFor(site, volume);
  const enrolment = await site.enrolment(volume.VolumeId ?? '');
  if (!enrolment) return;
  const input: RunInstancesCommandInput = {
    ...{
      ImageId: image,
      MinCount: 1,
      MaxCount: 1,
      UserData: Buffer.from(enrolment.userData).toString('base64'),
    },
    InstanceType: wanted.type as NonNullable<RunInstancesCommandInput['InstanceType']>,
    // of this token, which is made for one instance
    ClientToken: clientToken('instance', owner.deployment, owner.nodeId, enrolment.mark),
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId,
        Groups: [group],
        AssociatePublicIpAddress: isPublic,
        DeleteOnTermination: true,
      },
    ],
    ...(isDedicated && { Placement: { Tenancy: 'dedicated' } }),
    BlockDeviceMappings: [await systemVolume(site)],
    // the token is in the user data: nothing that only forwards requests may read it
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    InstanceInitiatedShutdownBehavior: 'stop',
    TagSpecifications: [
      ...tagged('instance', { ...tagsOf(owner), [tokenTag]: enrolment.mark }),
      ...tagged('volume', { ...tagsOf(owner), [systemTag]: 'true' }),
    ],
  };
  await call.confirm();
  await ec2.send(new RunInstancesCommand(input), { abortSignal: call.signal });
}
