import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';

/** An absent field matches any entry. */
export interface EntryFilter {
  tenant: TenantId;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: UserId | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
}
