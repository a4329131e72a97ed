import {
  connectors,
  findConnector,
  mostConnectorInstances,
  type Connector,
  type ConnectorType,
  type Features,
  type Plugins,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { featuresOf, requireBelow, requireCapability } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../generated/api.ts';
import {
  type ConnectorInstanceRow,
  countConnectorInstances,
  deleteRefusedInstances,
  getConnectors,
  insertConnectorInstance,
} from '@sluice/main-store/connector-instances.store';
import {
  aboutOf,
  type DeploymentPath,
  getChangeable,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import { getTerms, lockTenant } from '@sluice/main-store/tenants.store';
import { connectorData, sendActivation } from '../regions/activations.ts';

type Activation = BodyOf<operations['activateConnector']>;

export interface OfferedConnector {
  connector: Connector;
  available: boolean;
  permitted: boolean;
  instances: ConnectorInstanceRow[];
}

export type ConnectorsService = ReturnType<typeof connectorsService>;

/** The rules of connectors (interface, 4.10). What becomes of an instance is its region's to say. */
export function connectorsService({ database, work, catalogue }: Core) {
  return {
    /** The whole catalogue, or what it has of one type. */
    async list(caller: Caller, path: DeploymentPath, type?: ConnectorType): Promise<OfferedConnector[]> {
      const { plugins, instances } = await getConnectors(database, path);
      const features = featuresOf(catalogue, await getTerms(database, path.tenant_id));
      const place = { division: path.division_id, environment: path.environment_id };
      const mayActivate = caller.may('environment', 'deployment:connector:manage', place);
      return connectors
        .filter((connector) => type === undefined || connector.type === type)
        .map((connector) => ({
          connector,
          available: hasPlugin(plugins, connector),
          permitted: mayActivate && isInPlan(connector, features),
          instances: instances.filter((instance) => isOf(instance, connector)),
        }));
    },

    /** Has the region make an instance. */
    activate: (caller: Caller, path: DeploymentPath, wanted: Activation) =>
      work(caller, async (tx): Promise<ConnectorInstanceRow> => {
        const tenant = await lockTenant(tx, path.tenant_id);
        const connector = requireConnector(wanted);
        if (connector.advanced)
          requireCapability(featuresOf(catalogue, tenant), 'advanced_connectors_enabled');
        const deployment = await getChangeable(tx, path);
        const { plugins } = await getConnectors(tx, path);
        if (!hasPlugin(plugins, connector)) throw notAvailable(connector);
        const instance = await addInstance(tx, deployment, connector, wanted);
        tx.emit('connector_activated', aboutOf(deployment), connectorData(instance));
        sendActivation(tx, caller.cause, deployment, instance);
        return instance;
      }),
  };
}

const isInPlan = ({ advanced }: Connector, { advanced_connectors_enabled }: Features) =>
  !advanced || advanced_connectors_enabled;

const isOf = ({ connector_type, connector_key }: ConnectorInstanceRow, { type, key }: Connector) =>
  connector_type === type && connector_key === key;

const hasPlugin = (plugins: Plugins, { type, key }: Connector) =>
  plugins.some((plugin) => plugin.type === type && plugin.key === key);

const notAvailable = ({ type, key }: Connector) =>
  problem('connector_not_available', {
    detail: `The connectors runtime of the deployment does not have the ${type} ${key}.`,
  });

function requireConnector({ connector_type, connector_key }: Activation): Connector {
  const connector = findConnector(connector_type, connector_key);
  if (!connector) throw fieldProblem('connector_key', 'unknown', `is no ${connector_type} of the catalogue`);
  return connector;
}

/** Adds an instance to a deployment of a locked tenant. It takes the place of what the region has refused of its connector. */
async function addInstance(
  tx: Transaction,
  { id: deployment_id }: PlacedDeployment,
  connector: Connector,
  { instance_name, instance_key = null }: Activation,
): Promise<ConnectorInstanceRow> {
  const of = { deployment_id, connector_type: connector.type, connector_key: connector.key };
  await deleteRefusedInstances(tx, of);
  requireBelow(
    'connector_instances_per_deployment',
    mostConnectorInstances,
    await countConnectorInstances(tx, deployment_id),
    `A deployment can have ${mostConnectorInstances} instances of connectors.`,
  );
  const instance = { ...of, name: instance_name ?? `${connector.name} ${connector.type}` };
  for (;;) {
    const row = await insertConnectorInstance(tx, instance, instance_key);
    if (row) return row;
    // one that was made of an id is only taken if a client guessed it: the next one has another id
    if (instance_key !== null)
      throw problem('name_taken', { detail: 'Another instance of the deployment has this key.' });
  }
}
