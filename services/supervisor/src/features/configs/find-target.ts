import type { DeploymentId } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';
import { brokerTarget, type ConfigTarget } from './config-targets.ts';

/** What a kind is about; undefined for what is none, and for instances that the deployment does not have. */
export type FindTarget = (kind: string) => ConfigTarget | undefined;

export async function targetsOf(
  _db: Database,
  _deploymentId: DeploymentId,
  brokerRuntime: string,
): Promise<FindTarget> {
  return (kind) => (kind === 'broker' ? brokerTarget(brokerRuntime) : undefined);
}
