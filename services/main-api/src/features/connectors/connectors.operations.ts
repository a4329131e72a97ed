import { accepted, createdHeaders, listed, pageOf, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import { pick } from '@sluice/main-store/rows';
import type { ConnectorInstanceRow } from '@sluice/main-store/connector-instances.store';
import type { ConnectorsService, OfferedConnector } from './connectors.service.ts';

export function connectorsOperations(connectors: ConnectorsService) {
  return {
    async listConnectors({ caller, params, query, url }) {
      const page = pageOf(query);
      const all = await connectors.list(caller, params, query.type);
      const shown = all.slice(page.offset, page.offset + page.results);
      return listed(url, page, shown.map(connectorView), all.length);
    },

    async activateConnector({ caller, params, body }) {
      const instance = await connectors.activate(caller, params, body);
      const { tenant_id, division_id, environment_id, deployment_id } = params;
      const environment = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}`;
      // where the instance is shown: the Main API has no operation on a single one
      const location = `${environment}/deployments/${deployment_id}/connectors?type=${instance.connector_type}`;
      return accepted(createdHeaders('connector_instance', instance.id, location), instanceView(instance));
    },
  } satisfies Partial<Handlers<operations>>;
}

const connectorView = ({
  connector,
  instances,
  ...offer
}: OfferedConnector): components['schemas']['Connector'] => ({
  ...pick(connector, 'key', 'type', 'name', 'description'),
  ...{ ...offer, instances: instances.map(instanceView) },
});

const instanceView = (instance: ConnectorInstanceRow): components['schemas']['ActivatedConnector'] => ({
  ...shown(instance, 'id', 'deployment_id', 'connector_type', 'connector_key', 'name', 'key', 'status'),
  ...shown(instance, 'status_reason', 'created_at'),
});
