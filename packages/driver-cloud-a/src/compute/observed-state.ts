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
import { itemsOf } from '../pages.ts';
import { deploymentTag, hasTag, withTag } from '../tags.ts';

/** tells the volume of an instance's system, which goes with it, from that of the node's data */
export const systemTag = 'sluice:system';

export interface NodeOwner {
  nodeId: NodeId;
  /** tells its deployment from every other, also of other installations */
  deployment: string;
  tenantId: number;
  /** the supervisor that makes it: another may have nodes in the same account, whose deployments this one does not know */
  supervisor: string;
}

export const nodeTag = 'sluice:node';
const tenantTag = 'sluice:tenant';
const supervisorTag = 'sluice:supervisor';
/** tells the token that an instance was made with from another */
export const tokenTag = 'sluice:token';

export const tagsOf = ({ nodeId, deployment, tenantId, supervisor }: NodeOwner) => ({
  [deploymentTag]: deployment,
  [nodeTag]: String(nodeId),
  [tenantTag]: String(tenantId),
  [supervisorTag]: supervisor,
});

export interface ObservedState {
  /** those that are not gone, oldest first: there is one, unless the cloud has shown it late */
  instances: Instance[];
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
  const [send, asked] = [{ abortSignal }, { Filters, MaxResults: most }];
  const [instances, volumes, groups] = await Promise.all([
    ec2.send(new DescribeInstancesCommand(asked), send),
    ec2.send(new DescribeVolumesCommand(asked), send),
    ec2.send(new DescribeSecurityGroupsCommand(asked), send),
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

export type Maker = Pick<NodeOwner, 'tenantId' | 'supervisor'>;

export const madeBy = ({ tenantId, supervisor }: Maker) => [
  ...withTag(tenantTag, String(tenantId)),
  ...withTag(supervisorTag, supervisor),
];

/** The tags of what this supervisor has made for a tenant; none of anything else. */
export function tagsIfMadeBy({ tenantId, supervisor }: Maker, { Tags = [] }: { Tags?: Instance['Tags'] }) {
  const tags = new Map(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
  const isOurs = tags.get(tenantTag) === String(tenantId) && tags.get(supervisorTag) === supervisor;
  return isOurs ? tags : new Map<string, string>();
}

export async function listNodes(
  ec2: EC2Client,
  maker: Maker,
  abortSignal: AbortSignal,
): Promise<{ nodeId: NodeId; deployment: string }[]> {
  const [client, asked, send] = [{ client: ec2 }, { Filters: madeBy(maker) }, { abortSignal }];
  const reservations = await itemsOf(
    paginateDescribeInstances(client, asked, send),
    ({ Reservations }) => Reservations,
  );
  const instances = reservations.flatMap(({ Instances = [] }) => Instances);
  const volumes = await itemsOf(paginateDescribeVolumes(client, asked, send), ({ Volumes }) => Volumes);
  const groups = await itemsOf(
    paginateDescribeSecurityGroups(client, asked, send),
    ({ SecurityGroups }) => SecurityGroups,
  );
  const found = new Map<string, string>();
  const present = instances.filter(({ State }) => State?.Name !== 'terminated');
  for (const thing of [...present, ...volumes, ...groups]) {
    const tags = tagsIfMadeBy(maker, thing);
    const nodeId = tags.get(nodeTag) ?? '';
    if (/^\d{1,16}$/.test(nodeId)) found.set(nodeId, tags.get(deploymentTag) ?? '');
  }
  return [...found].map(([nodeId, deployment]) => ({ nodeId: idOf<NodeId>(Number(nodeId)), deployment }));
}

export const isGoing = ({ State }: Instance) => gone.test(State?.Name ?? '');
