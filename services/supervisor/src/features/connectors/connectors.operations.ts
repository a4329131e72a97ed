import { ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import { done } from '../answers.ts';
import type { ConnectorsService, LiveInstance } from './connectors.service.ts';

export function connectorsOperations(connectors: ConnectorsService) {
  return {
    listConnectorInstances: async ({ params }) => ok((await connectors.list(params)).map(instanceView)),
    deleteConnectorInstance: ({ caller, params }) => done(connectors.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

function instanceView({ instance, state }: LiveInstance): components['schemas']['ConnectorInstance'] {
  return {
    id: instance.id,
    deployment_id: instance.deployment_id,
    connector_type: instance.connector_type,
    connector_key: instance.connector_key,
    name: instance.name,
    key: instance.key,
    status: state.status,
    status_reason: state.reason,
    created_at: instance.created_at.toISOString(),
  };
}
