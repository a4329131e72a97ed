import type { DeploymentSpec, DeploymentStatus } from '@sluice/contracts';
import type { DriverCall } from './compute.ts';
import type { DriverDatabase } from './database.ts';
import type { LinkedDeployment, LinkState, WantedLink } from './links.ts';

/**
 * Makes the network of deployments: says in which phases it has something to do, and does it. What it decides is
 * stored through `tx`, in the transaction in which the phase is done. Every call may be repeated; one that rejects is,
 * until the phase's deadline. Deleting a deployment's row takes along what is stored with it.
 */
export interface NetworkDriver {
  readonly phases?: {
    readonly [Status in DeploymentStatus]?: (tx: DriverDatabase, deployment: DeploymentSpec) => Promise<void>;
  };
  readonly links: LinkDriver;
  /**
   * Takes away what there is of a deployment's network beyond the database, once nothing is left of its nodes and links. May be repeated.
   * Left out by drivers that make no such thing.
   */
  release?(deployment: Omit<LinkedDeployment, 'brokers'>, call: DriverCall): Promise<void>;
}

/**
 * Connects deployments with networks of customers. A call that was cut short anywhere is repeated: what it has made is found again by the
 * link's uid, and not made twice.
 */
export interface LinkDriver {
  /**
   * Takes a link one step closer to what is wanted, and says how it is then.
   * @throws LinkRefused when it can never be
   */
  advance(link: WantedLink, call: DriverCall): Promise<LinkState>;
  /** Takes away what there is of a link, also of one that never came about. @returns whether nothing is left */
  remove(link: WantedLink, call: DriverCall): Promise<boolean>;
}

/** The cloud will not have a link, and would not later either; the message is for people. */
export class LinkRefused extends Error {}
