import {
  getCertificates,
  getDeploymentAtSupervisor,
  SluiceError,
  type Endpoints,
  type LiveDeployment,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { inDeployment, type DeploymentCall } from '../entries/entries.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';

/** Where clients reach the broker of a deployment, and by what they know it. */
export interface Endpoint {
  call: DeploymentCall;
  /** as people call the deployment */
  place: string;
  live: LiveDeployment;
  /** host:port; the deployment's own first, then those of its nodes */
  servers: readonly string[];
  /** PEM; null where clients know the authority already, or where it may not be read */
  authority: string | null;
}

/** @throws CliError where the deployment has no address for clients */
export async function findEndpoint(cli: Cli, at: string | undefined): Promise<Endpoint> {
  const call = await inDeployment(cli, at);
  const place = call.path.path;
  const [{ data: live }, authority] = await Promise.all([
    getDeploymentAtSupervisor({ ...call, path: { deployment_id: call.path.deployment_id } }),
    readAuthority(call),
  ]);
  const all: Pick<Endpoints, 'broker_tcp'>[] = [live.endpoints, ...live.nodes.map((node) => node.endpoints)];
  const servers = [...new Set(all.flatMap(({ broker_tcp: address }) => address ?? []))];
  if (servers.length > 0) return { call, place, live, servers, authority };
  throw new CliError({
    exitCode: exitCodes.tryAgain,
    message: `The broker of ${place} cannot be reached yet: the deployment is ${live.status}.`,
    details: live.status_reason === null ? [] : [live.status_reason],
    next: `sluice deployments wait ${place}`,
  });
}

async function readAuthority(call: DeploymentCall): Promise<string | null> {
  try {
    return (await getCertificates(call)).data.authority;
  } catch (error) {
    if (error instanceof SluiceError && error.status === 403) return null;
    throw error;
  }
}
