import {
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
  paginateDescribeInstances,
  paginateDescribeSecurityGroups,
  paginateDescribeVolumes,
  type EC2Client,
  type Instance,
  type SecurityGroup,
  type Volume,
} from '@aws-sdk/client-ec2';
import { idOf, type NodeId } from '@sluice/contracts';
import { codeOf } from '../error-code.ts';
import { deploymentTag, hasTag, withTag } from '../tags.ts';
import { CloudFailure } from './access.ts';

/** tells the volume of an instance's system, which goes with it, from that of the node's data */
export const systemTag = 'sluice:system';

/** Whose node it is, as everything that is made of it is tagged. */
export interface NodeOwner {
  nodeId: NodeId;
  /** tells its deployment from every other, also of other installations */
  deployment: string;
  tenantId: number;
  /** the supervisor that makes it: another may have nodes in the same account, whose deployments this one does not know */
  supervisor: string;
}

export const nodeTag = 'sluice:node';
export const tenantTag = 'sluice:tenant';
export const supervisorTag = 'sluice:supervisor';
/** tells the token that an instance was made with from another */
export const tokenTag = 'sluice:token';

export const tagsOf = ({ nodeId, deployment, tenantId, supervisor }: NodeOwner) => ({
  [deploymentTag]: deployment,
  [nodeTag]: String(nodeId),
  [tenantTag]: String(tenantId),
  [supervisorTag]: supervisor,
});

/** What there is of a node at the cloud. */
export interface ObservedState {
  /** those that are not gone, oldest first: there is one, unless the cloud has shown it late */
  instances: Instance[];
  /** the same */
  volumes: Volume[];
  group: SecurityGroup | undefined;
}

/** as many instances of one node as are looked at: those that have ended are shown for an hour */
const most = 100;
const gone = /^(shutting-down|terminated)$/;

/** Looks for all that carries the node's tags. Objects without them are ignored, also under a name of ours. */
export async function lookAtNode(
  ec2: EC2Client,
  owner: NodeOwner,
  abortSignal: AbortSignal,
): Promise<ObservedState> {
  const tags = tagsOf(owner);
  const Filters = [
    ...withTag(deploymentTag, tags[deploymentTag] ?? ''),
    ...withTag(nodeTag, tags[nodeTag] ?? ''),
  ];
  const isOurs = (thing: { Tags?: Instance['Tags'] }) =>
    hasTag(thing, deploymentTag, owner.deployment) && hasTag(thing, nodeTag, String(owner.nodeId));
  const send = { abortSignal };
  const [instances, volumes, groups] = await Promise.all([
    asked('DescribeInstances', abortSignal, () =>
      ec2.send(new DescribeInstancesCommand({ Filters, MaxResults: most }), send),
    ),
    asked('DescribeVolumes', abortSignal, () =>
      ec2.send(new DescribeVolumesCommand({ Filters, MaxResults: most }), send),
    ),
    asked('DescribeSecurityGroups', abortSignal, () =>
      ec2.send(new DescribeSecurityGroupsCommand({ Filters, MaxResults: most }), send),
    ),
  ]);
  const made = ({ LaunchTime }: Instance) => LaunchTime?.getTime() ?? 0;
  return {
    instances: (instances.Reservations ?? [])
      .flatMap(({ Instances = [] }) => Instances)
      .filter((instance) => isOurs(instance) && instance.State?.Name !== 'terminated')
      .sort((one, other) => made(one) - made(other)),
    volumes: (volumes.Volumes ?? []).filter(
      (volume) => isOurs(volume) && volume.State !== 'deleted' && !hasTag(volume, systemTag, 'true'),
    ),
    group: groups.SecurityGroups?.find(isOurs),
  };
}

/** All nodes of a tenant that there is something of and that this supervisor has made. */
export async function listNodes(
  ec2: EC2Client,
  { tenantId, supervisor }: Pick<NodeOwner, 'tenantId' | 'supervisor'>,
  abortSignal: AbortSignal,
): Promise<{ nodeId: NodeId; deployment: string }[]> {
  const Filters = [...withTag(tenantTag, String(tenantId)), ...withTag(supervisorTag, supervisor)];
  const found = new Map<string, string>();
  const note = ({ Tags = [] }: { Tags?: Instance['Tags'] }) => {
    const tags = new Map(Tags.map(({ Key, Value = '' }) => [Key, Value]));
    const [nodeId = '', deployment = ''] = [tags.get(nodeTag), tags.get(deploymentTag)];
    const isOurs = tags.get(tenantTag) === String(tenantId) && tags.get(supervisorTag) === supervisor;
    if (isOurs && /^\d{1,16}$/.test(nodeId)) found.set(nodeId, deployment);
  };
  const send = { abortSignal };
  for await (const { Reservations = [] } of paginateDescribeInstances({ client: ec2 }, { Filters }, send))
    for (const { Instances = [] } of Reservations)
      for (const instance of Instances) if (instance.State?.Name !== 'terminated') note(instance);
  for await (const { Volumes = [] } of paginateDescribeVolumes({ client: ec2 }, { Filters }, send))
    for (const volume of Volumes) note(volume);
  for await (const { SecurityGroups = [] } of paginateDescribeSecurityGroups(
    { client: ec2 },
    { Filters },
    send,
  ))
    for (const group of SecurityGroups) note(group);
  return [...found].map(([nodeId, deployment]) => ({ nodeId: idOf<NodeId>(Number(nodeId)), deployment }));
}

export const isGoing = ({ State }: Instance) => gone.test(State?.Name ?? '');

/** Answers a request, with errors as people may read them. */
export async function asked<T>(action: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw new CloudFailure(action, codeOf(error), { cause: error });
  }
}
