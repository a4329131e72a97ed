import { waitForDeployment, type DeploymentDetail, type DeploymentStatus } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { withSteps } from '../entries/with-steps.ts';

type Until = DeploymentStatus | 'gone' | ((deployment: DeploymentDetail) => boolean);

interface Wait {
  deploymentId: number;
  /** milliseconds */
  timeout: number;
  /** what is waited for (default `initialized`) */
  until?: Until;
  /** the step that goes on, of a deployment (default: its status) */
  title?: (deployment: DeploymentDetail) => string;
  toleratesFailure?: boolean;
}

/** Waits for a deployment and shows the steps. @returns it as it is then; undefined when it is gone */
export async function waitWithSteps(cli: Cli, wait: Wait): Promise<DeploymentDetail | undefined> {
  const {
    deploymentId,
    timeout,
    until = 'initialized',
    title = ({ status }) => status,
    toleratesFailure,
  } = wait;
  const { client } = await cli.session();
  return withSteps(cli, (steps) =>
    waitForDeployment({
      client,
      deployment_id: deploymentId,
      timeoutMs: timeout,
      until,
      signal: cli.signal,
      onProgress: (deployment) => steps.now(title(deployment)),
      ...(toleratesFailure !== undefined && { toleratesFailure }),
    }),
  );
}
