import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import type { ConnectorsService, LiveInstance } from './connectors.service.ts';

export function connectorsOperations(connectors: ConnectorsService) {
  return {
    listConnectorInstances: async ({ params }) => ok((await connectors.list(params)).map(instanceView)),
    deleteConnectorInstance: ({ caller, params }) => done(connectors.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

const instanceView = ({ instance, state }: LiveInstance): components['schemas']['ConnectorInstance'] => ({
  ...shown(instance, 'id', 'deployment_id', 'connector_type', 'connector_key', 'name', 'key', 'created_at'),
  status: state.status,
  status_reason: state.reason,
});
