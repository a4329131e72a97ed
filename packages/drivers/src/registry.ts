import { ConfigError } from '@sluice/system';
import { z } from 'zod';
import type { CertificateDriver } from './certificates.ts';
import type { ComputeDriver } from './compute.ts';
import type { DriverHost } from './host.ts';
import type { NetworkDriver } from './network.ts';
import type { VolumeDriver } from './volumes.ts';

/** What makes nodes, and copies what they store. */
export interface NodeProvider {
  compute: ComputeDriver;
  /** absent where its nodes have no backups */
  volumes?: VolumeDriver;
  /** Whether there are backups of its nodes now; absent where that follows from `volumes`. */
  hasBackups?(): Promise<boolean>;
  /** Tries the access to an account of a customer; absent where it needs none. */
  tryAccess?: TryAccess;
}

/** Undefined `error`: the access is fine, as far as it was checked. */
export interface AccessFinding {
  error?: string;
  unchecked: ('role' | 'external_id' | 'network' | 'permissions')[];
}
export interface TriedAccess {
  account_id: string;
  identity_arn: string;
  external_id?: string;
  vpc_id: string;
}
export type TryAccess = (access: TriedAccess, tenant: number, signal: AbortSignal) => Promise<AccessFinding>;

type Shape = Record<string, z.ZodType>;
type Settings<Own extends Shape> = z.infer<z.ZodObject<Own>>;

export interface Provision<Own extends Shape, Provided> {
  /** Called at the start of a supervisor that names the driver. @throws ConfigError for what the settings lack */
  check?(settings: Settings<Own>): void;
  /** Loads the provider's libraries, which are large, itself: every supervisor imports every registration. */
  create(host: DriverHost, settings: Settings<Own>): Promise<Provided>;
}

export interface Driver<Own extends Shape = Shape> {
  readonly name: string;
  /** what it reads from the environment, by the names of variables, which no other driver has */
  readonly settings: Own;
  /** the only cloud that it is for */
  readonly cloud?: string;
  /** the region's own nodes (COMPUTE_DRIVER) */
  readonly compute?: Provision<Own, NodeProvider>;
  /** nodes of byoc deployments (BYOC_DRIVER); undefined where the settings do not set it up */
  readonly byoc?: Provision<Own, NodeProvider | undefined>;
  /** networks of deployments (NETWORK_DRIVER) */
  readonly network?: Provision<Own, NetworkDriver>;
  /** certificates of deployments (CERTIFICATE_DRIVER) */
  readonly certificates?: Provision<Own, CertificateDriver>;
}

/** Checks a registration against its own settings. */
export const defineDriver = <Own extends Shape>(driver: Driver<Own>): Driver => driver;

const provisions = ['compute', 'byoc', 'network', 'certificates'] as const;
export type ProvisionKind = (typeof provisions)[number];

export type Registry = ReturnType<typeof registryOf>;

/** The drivers of a supervisor. @throws Error for a name or a setting that two of them have */
export function registryOf(drivers: readonly Driver[]) {
  const settings: Shape = {};
  for (const driver of drivers)
    for (const [name, schema] of Object.entries(driver.settings)) {
      if (name in settings) throw new Error(`two drivers have a setting ${name}`);
      settings[name] = schema;
    }
  const providing = (kind: ProvisionKind) => drivers.filter((driver) => driver[kind]);
  for (const kind of provisions) {
    const names = providing(kind).map(({ name }) => name);
    if (new Set(names).size < names.length) throw new Error(`two drivers of ${kind} have one name`);
  }

  return {
    settings,
    providing,
    names: (kind: ProvisionKind) => providing(kind).map(({ name }) => name),

    /** @param setting the variable that names the driver, for messages. @throws ConfigError */
    find<Kind extends ProvisionKind>(kind: Kind, name: string, setting: string) {
      const driver = providing(kind).find((one) => one.name === name);
      const provision = driver?.[kind];
      if (!driver || !provision)
        throw new ConfigError(`${setting}: ${name} is none of ${this.names(kind).join(', ')}`);
      return { driver, provision: provision as NonNullable<Driver[Kind]> };
    },
  };
}

export const settingsOf = ({ settings }: Driver, environment: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name in settings));
