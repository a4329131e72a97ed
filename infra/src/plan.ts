import type { NatsUser } from '@sluice/embedded';

/** What a stack consists of, as data: the launcher knows nothing else about the services that it runs. */

export interface ServicePlan {
  name: string;
  /** the TypeScript file to run */
  program: string;
  port: number;
  /** the name of its database and of the role that owns it; without one it needs NATS no more than PostgreSQL */
  database?: string;
  /** the role as which it works, where that is not the owner */
  writer?: string;
  /** what it needs to know beyond the variables that all services get */
  environment: Record<string, string>;
  /** the variables that it may have from the launcher's own environment, where nothing else says them */
  settings: readonly string[];
}

/** Runs main-api's seed program with these settings besides its own. */
export type RunSeed = (more: Record<string, string>) => Promise<unknown>;

export interface ServerPlan {
  name: string;
  port: number;
  /** @param seed waits until the databases are there */
  start: (seed: RunSeed) => Promise<{ close: () => Promise<void> }>;
}

export interface StackPlan {
  /** who may connect to NATS; undefined: anybody */
  natsUsers?: readonly NatsUser[];
  ports: { postgres: number; nats: number };
  services: readonly ServicePlan[];
  /** small servers that run in the launcher's own process */
  beside?: readonly ServerPlan[];
  /** makes the first tenant; runs with the environment of the service named `mainApi` */
  seedProgram: string;
  mainApi: string;
  audit: string;
  supervisors: readonly { service: string; cloud: string; region: string }[];
  /** the service that serves the web console, where there is one */
  console?: string | undefined;
}

/** the prefix of a stack's streams, subjects and buckets */
export const namespace = 'sluice';
export const host = '127.0.0.1';
export const urlOf = (port: number) => `http://${host}:${port}`;

export function serviceNamed(plan: StackPlan, name: string): ServicePlan {
  const service = plan.services.find((candidate) => candidate.name === name);
  if (!service) throw new Error(`The plan has no service '${name}'.`);
  return service;
}
