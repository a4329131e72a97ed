import type { V1Service, V1ServiceSpec } from '@kubernetes/client-node';
import { clientsService, isShared, ownServiceType } from './clients-service.ts';
import type { ApiObject, ObjectMetadata, Read, Wanted } from './api-object.ts';
import { labelsOf, wanted, type DeploymentObjectsInput } from './deployment-input.ts';
import { digestOf } from './enrolment.ts';
import {
  gatewayPorts,
  portName,
  servedProtocols,
  serviceTemplateOf,
  type Installation,
  type ServiceType,
} from './installation.ts';
import { annotations, labels, namespaceOf } from './labels.ts';
import { filledIn } from './node-template.ts';

/** The Services by which clients reach nodes. They leave the address that a client comes from as it is: access rules go by that. */

/** Leads to one node alone. @param live as it is there */
export function nodeService(
  installation: Installation,
  deployment: DeploymentObjectsInput,
  metadata: ObjectMetadata,
  live: ApiObject | undefined,
): Wanted {
  const type = ownServiceType(installation, deployment, live);
  // what a template says of load balancers is said of the shared one
  const isTemplated = !isShared(installation, deployment) || type === 'LoadBalancer';
  const spec = {
    ...specOf(installation, deployment, type, live),
    selector: { [labels.node]: metadata.labels?.[labels.node] ?? '' },
    // there is one pod, and who waits for the deployment waits for its gateway: its readiness would only be noticed later
    publishNotReadyAddresses: true,
  };
  return serviceObject(installation, deployment, metadata, spec, isTemplated);
}

/** Leads to all nodes of a cluster that are ready. */
export function clientsObject(installation: Installation, deployment: DeploymentObjectsInput): Wanted {
  const metadata = {
    name: clientsService,
    namespace: namespaceOf(installation.owner, deployment.id),
    labels: labelsOf(installation, deployment),
  };
  const spec = {
    ...specOf(installation, deployment, 'LoadBalancer', deployment.clients),
    selector: { [labels.deployment]: String(deployment.id) },
  };
  return serviceObject(installation, deployment, metadata, spec, true);
}

/** An internal load balancer is one by its annotations, or by its class. */
function serviceObject(
  installation: Installation,
  { id, options }: DeploymentObjectsInput,
  metadata: ObjectMetadata,
  spec: V1ServiceSpec,
  isTemplated: boolean,
): Wanted {
  const given = isTemplated ? serviceTemplateOf(installation, options).annotations : {};
  const node = metadata.labels?.[labels.node];
  const names = { deployment: String(id), ...(node !== undefined && { node }) };
  const marked = { ...filledIn(given, names), [annotations.template]: digestOf(JSON.stringify(given)) };
  return wanted('Service', { ...metadata, annotations: marked }, { spec });
}

function specOf(
  installation: Installation,
  { options }: DeploymentObjectsInput,
  type: ServiceType,
  live: ApiObject | undefined,
): V1ServiceSpec {
  const loadBalancerClass = type === 'LoadBalancer' ? classOf(installation, options, live) : undefined;
  return {
    type,
    ...(loadBalancerClass !== undefined && { loadBalancerClass }),
    ...(type !== 'ClusterIP' && { externalTrafficPolicy: 'Local' }),
    ports: servedProtocols.map((protocol) => ({
      name: portName(protocol),
      port: gatewayPorts[protocol],
      targetPort: gatewayPorts[protocol],
      protocol: 'TCP',
    })),
  };
}

/** A load balancer keeps the class that it was made with. */
function classOf(
  installation: Installation,
  options: DeploymentObjectsInput['options'],
  live: ApiObject | undefined,
): string | undefined {
  const { spec } = (live ?? {}) as Partial<Read<V1Service>>;
  return (spec?.type === 'LoadBalancer' ? spec : serviceTemplateOf(installation, options)).loadBalancerClass;
}
