import {
  CreateVpcEndpointServiceConfigurationCommand,
  DeleteVpcEndpointServiceConfigurationsCommand,
  ModifyVpcEndpointServicePermissionsCommand,
  RejectVpcEndpointConnectionsCommand,
  paginateDescribeVpcEndpointConnections,
  paginateDescribeVpcEndpointServiceConfigurations,
  paginateDescribeVpcEndpointServicePermissions,
  type ServiceConfiguration,
} from '@aws-sdk/client-ec2';
import type { DriverCall, LinkState, LinkStatuses, WantedLink } from '@sluice/drivers';
import { ensureBalancer, removeBalancer } from './balancers.ts';
import { itemsOf } from '../pages.ts';
import { asPeopleReadIt, type Clients } from './clients.ts';
import { ensureNetwork } from './networks.ts';
import { hasTag, linkTag, tagged, withTag } from '../tags.ts';

type Service = Extract<WantedLink, { kind: 'cloud_a_service' }>;

const states: Record<string, LinkStatuses['cloud_a_service']> = {
  Pending: 'pending',
  Available: 'available',
  Failed: 'failed',
  Deleting: 'deleting',
  Deleted: 'deleted',
};
const seconds = { underWay: 1, settled: 60 };

export async function advanceService(clients: Clients, link: Service, call: DriverCall): Promise<LinkState> {
  const network = await ensureNetwork(clients, link.deployment, call);
  const { arn, isActive } = await ensureBalancer(clients, link, network, call);
  if (!isActive) return { status: 'pending', facts: link.facts, lookAgainSeconds: seconds.underWay };
  const [service = await createService(clients, link, arn, call)] = await findServices(
    clients,
    link.uid,
    call,
  );
  const { ServiceId = '', ServiceName, ServiceState = '' } = service;
  await keepPermissions(clients, link, ServiceId, call);
  const status = states[ServiceState];
  if (status === undefined) throw new Error('the endpoint service is in an unknown state');
  return {
    status,
    facts: {
      vpc_endpoint_service_id: ServiceId,
      ...(ServiceName !== undefined && { service_name: ServiceName }),
    },
    lookAgainSeconds: status === 'available' ? seconds.settled : seconds.underWay,
  };
}

/** Removes the services of a link with their connections, and then its balancer. @returns whether nothing is left */
export async function removeService(clients: Clients, link: WantedLink, call: DriverCall): Promise<boolean> {
  const services = await findServices(clients, link.uid, call);
  const present = services.filter(({ ServiceState }) => ServiceState !== 'Deleted');
  for (const { ServiceId = '', ServiceState } of present)
    if (ServiceState !== 'Deleting') await deleteService(clients, ServiceId, call);
  if (present.length > 0) return false;
  return await removeBalancer(clients, link, call);
}

async function findServices(
  { ec2 }: Clients,
  uid: string,
  { signal }: DriverCall,
): Promise<ServiceConfiguration[]> {
  const Filters = withTag(linkTag, uid);
  const pages = paginateDescribeVpcEndpointServiceConfigurations(
    { client: ec2 },
    { Filters },
    { abortSignal: signal },
  );
  const found = await itemsOf(pages, ({ ServiceConfigurations }) => ServiceConfigurations);
  return found.filter((service) => hasTag(service, linkTag, uid));
}

async function createService(
  { ec2 }: Clients,
  { uid, wanted }: Service,
  balancer: string,
  call: DriverCall,
): Promise<ServiceConfiguration> {
  await call.confirm();
  const command = new CreateVpcEndpointServiceConfigurationCommand({
    AcceptanceRequired: wanted.acceptance_required,
    NetworkLoadBalancerArns: [balancer],
    ClientToken: uid,
    TagSpecifications: tagged('vpc-endpoint-service', { [linkTag]: uid }),
  });
  const { ServiceConfiguration: made } = await ec2.send(command, { abortSignal: call.signal });
  if (!made) throw new Error('the cloud has made an endpoint service and does not say which');
  return made;
}

/** Accounts are named by their roots; an empty list admits every account. */
function principalsOf({ allowed_principals: allowed }: Service['wanted']): string[] {
  if (allowed.length === 0) return ['*'];
  return allowed.map((one) => (/^\d{12}$/.test(one) ? `arn:aws:iam::${one}:root` : one));
}

async function keepPermissions(
  { ec2 }: Clients,
  { wanted }: Service,
  ServiceId: string,
  call: DriverCall,
): Promise<void> {
  const pages = paginateDescribeVpcEndpointServicePermissions(
    { client: ec2 },
    { ServiceId },
    { abortSignal: call.signal },
  );
  const allowed = await itemsOf(pages, ({ AllowedPrincipals }) => AllowedPrincipals);
  const found = allowed.flatMap(({ Principal }) => Principal ?? []);
  const principals = principalsOf(wanted);
  const AddAllowedPrincipals = principals.filter((one) => !found.includes(one));
  const RemoveAllowedPrincipals = found.filter((one) => !principals.includes(one));
  if (AddAllowedPrincipals.length + RemoveAllowedPrincipals.length === 0) return;
  await call.confirm();
  const command = new ModifyVpcEndpointServicePermissionsCommand({
    ServiceId,
    ...(AddAllowedPrincipals.length > 0 && { AddAllowedPrincipals }),
    ...(RemoveAllowedPrincipals.length > 0 && { RemoveAllowedPrincipals }),
  });
  await ec2.send(command, { abortSignal: call.signal }).catch((error: unknown) => {
    throw asPeopleReadIt(error, principals);
  });
}

/** A service that endpoints are connected to cannot go: they are turned away first. */
async function deleteService({ ec2 }: Clients, serviceId: string, { signal }: DriverCall): Promise<void> {
  const command = new DeleteVpcEndpointServiceConfigurationsCommand({ ServiceIds: [serviceId] });
  const { Unsuccessful = [] } = await ec2.send(command, { abortSignal: signal });
  const codes = Unsuccessful.map(({ Error: error }) => error?.Code);
  if (!codes.includes('ExistingVpcEndpointConnections')) return;
  const Filters = [{ Name: 'service-id', Values: [serviceId] }];
  const pages = paginateDescribeVpcEndpointConnections({ client: ec2 }, { Filters }, { abortSignal: signal });
  const connections = await itemsOf(pages, ({ VpcEndpointConnections }) => VpcEndpointConnections);
  const VpcEndpointIds = connections
    .filter(({ VpcEndpointState }) => ['PendingAcceptance', 'Available'].includes(VpcEndpointState ?? ''))
    .flatMap(({ VpcEndpointId }) => VpcEndpointId ?? []);
  if (VpcEndpointIds.length === 0) return;
  const reject = new RejectVpcEndpointConnectionsCommand({ ServiceId: serviceId, VpcEndpointIds });
  await ec2.send(reject, { abortSignal: signal });
}
