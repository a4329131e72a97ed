import { listConnectors } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import type { OpenDeployment } from '../deployment-context.ts';

/** The catalogue, each entry with what of it was activated on a deployment. */
export const catalogueQuery = (path: OpenDeployment['path']) =>
  read(keyOf('main', path.tenant_id, 'connector', path.deployment_id), (signal) =>
    listConnectors({ client, path, query: { results: 100 }, signal }),
  );
