import type { DeploymentId } from '@sluice/contracts';
import type { Line } from './post.ts';
import type { Message, Region } from './region.ts';

/** A region with what is under way there. */
export interface Played {
  region: Region;
  waits: boolean;
  /** commands that come before main-api has answered */
  held: Message[];
  /** deployments whose brokers do not do yet what is wanted, and when they will */
  following: Map<DeploymentId, number>;
  creating: Set<DeploymentId>;
  looksAt: number;
  line: Line;
}
