import {
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DeleteVpcCommand,
  paginateDescribeSubnets,
  paginateDescribeVpcs,
  type Subnet,
  type Vpc,
} from '@aws-sdk/client-ec2';
import type { DriverCall, LinkedDeployment } from '@sluice/drivers';
import type { Clients } from './clients.ts';
import { itemsOf } from '../pages.ts';
import { deploymentTag, hasTag, tagged, withTag } from '../tags.ts';

type NetworkOwner = Pick<LinkedDeployment, 'id' | 'uid' | 'subnet'>;

export interface DeploymentNetwork {
  vpcId: string;
  subnetId: string;
}

const nameOf = ({ id, uid }: NetworkOwner) => uid ?? `id-${id}`;

/** The VPC of a deployment: its block is the deployment's subnet, which is all of it. Made unless it is there. */
export async function ensureNetwork(
  clients: Clients,
  owner: NetworkOwner,
  call: DriverCall,
): Promise<DeploymentNetwork> {
  if (owner.subnet === null) throw new Error('the deployment has no subnet');
  const [vpc = await createVpc(clients, owner, owner.subnet, call)] = await findVpcs(clients, owner, call);
  const vpcId = vpc.VpcId ?? '';
  const [subnet = await createSubnet(clients, owner, vpcId, call)] = await findSubnets(clients, vpcId, call);
  return { vpcId, subnetId: subnet.SubnetId ?? '' };
}

/** Takes away what there is of a deployment's network. Nothing may be connected with it any more. */
export async function removeNetwork(clients: Clients, owner: NetworkOwner, call: DriverCall): Promise<void> {
  const { ec2 } = clients;
  const { signal: abortSignal } = call;
  for (const { VpcId = '' } of await findVpcs(clients, owner, call)) {
    for (const { SubnetId } of await findSubnets(clients, VpcId, call))
      await ec2.send(new DeleteSubnetCommand({ SubnetId }), { abortSignal });
    await ec2.send(new DeleteVpcCommand({ VpcId }), { abortSignal });
  }
}

async function findVpcs({ ec2 }: Clients, owner: NetworkOwner, { signal }: DriverCall): Promise<Vpc[]> {
  const Filters = withTag(deploymentTag, nameOf(owner));
  const pages = paginateDescribeVpcs({ client: ec2 }, { Filters }, { abortSignal: signal });
  const found = await itemsOf(pages, ({ Vpcs }) => Vpcs);
  return found.filter((vpc) => hasTag(vpc, deploymentTag, nameOf(owner)));
}

async function findSubnets({ ec2 }: Clients, vpcId: string, { signal }: DriverCall): Promise<Subnet[]> {
  const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
  const pages = paginateDescribeSubnets({ client: ec2 }, { Filters }, { abortSignal: signal });
  const found = await itemsOf(pages, ({ Subnets }) => Subnets);
  return found.filter((subnet) => subnet.VpcId === vpcId);
}

async function createVpc(
  { ec2 }: Clients,
  owner: NetworkOwner,
  CidrBlock: string,
  call: DriverCall,
): Promise<Vpc> {
  await call.confirm();
  const TagSpecifications = tagged('vpc', { [deploymentTag]: nameOf(owner) });
  const { Vpc: vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock, TagSpecifications }), {
    abortSignal: call.signal,
  });
  if (!vpc) throw new Error('the cloud has made a VPC and does not say which');
  return vpc;
}

async function createSubnet(
  { ec2 }: Clients,
  owner: NetworkOwner,
  VpcId: string,
  call: DriverCall,
): Promise<Subnet> {
  await call.confirm();
  const TagSpecifications = tagged('subnet', { [deploymentTag]: nameOf(owner) });
  const wanted = { VpcId, CidrBlock: owner.subnet ?? '', TagSpecifications };
  const { Subnet: subnet } = await ec2.send(new CreateSubnetCommand(wanted), { abortSignal: call.signal });
  if (!subnet) throw new Error('the cloud has made a subnet and does not say which');
  return subnet;
}
