import {
  getConfigSchema,
  listConfigsOfKind,
  listConfigVersions,
  listConnectorInstances,
  type Config,
} from '@sluice/client';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import type { OpenDeployment } from '../deployment-context.ts';

type AtRegion = Pick<OpenDeployment, 'path' | 'layer' | 'supervisor'>;

/** The named configurations of a kind: the newest version, the active one and the one in force of each. */
export const configsQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion,
  config_kind: string,
) =>
  read(keyOf(layer, tenant_id, 'config', deployment_id, config_kind), (signal) =>
    listConfigsOfKind({ client, path: { deployment_id, config_kind }, signal }),
  );

/** All versions of a named configuration, newest first. */
export const versionsQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion,
  { kind: config_kind, name: config_name }: Pick<Config, 'kind' | 'name'>,
) =>
  read(keyOf(layer, tenant_id, 'config', deployment_id, config_kind, config_name), (signal) =>
    listConfigVersions({ client, path: { deployment_id, config_kind, config_name }, signal }),
  );

/** What can be configured. It changes with releases, not with what people do. */
export const schemaQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion,
  config_kind: string,
) => ({
  ...read(keyOf(layer, tenant_id, 'config_schema', deployment_id, config_kind), (signal) =>
    getConfigSchema({ client, path: { deployment_id, config_kind }, signal }),
  ),
  staleTime: 300_000,
});

/** The instances of connectors that a deployment has. */
export const instancesQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'connector', deployment_id), (signal) =>
    listConnectorInstances({ client, path: { deployment_id }, signal }),
  );
