import type { Heartbeat, Machine, NodeId, TenantId } from '@sluice/contracts';
import type { Log } from '@sluice/system/log';
import type { SecretBox } from '@sluice/system/secrets';
import type { DriverDatabase } from './database.ts';

/** What a supervisor gives its drivers. */
export interface DriverHost {
  cloud: string;
  region: string;
  /** the supervisor's public address, by which a driver tells its objects from those of another supervisor in the same account */
  supervisor: string;
  /** what agents need to know, wherever they run */
  agents: AgentSettings;
  gateway: GatewaySettings;
  /** addresses and blocks that connectors may not connect to, separated by commas */
  refusedDestinations: string;
  /** those that they may connect to although they are refused otherwise */
  allowedDestinations: string;
  nodes: StoredNodes;
  database: DriverDatabase;
  secrets: SecretBox;
  /** aborted when the supervisor ends */
  stopping: AbortSignal;
  now: () => Date;
  log: Log;
}

export interface AgentSettings {
  /** where agents call the supervisor */
  supervisorUrl: string;
  /** certificates that they trust for it besides the public authorities, PEM */
  authority?: string;
  environment: Readonly<Record<string, string>>;
  /** the environment of agents on other machines than the supervisor's */
  remoteEnvironment: Readonly<Record<string, string>>;
  /** the broker's program on this machine */
  natsServer: string;
}

export interface GatewaySettings {
  /** the address that clients use */
  host: string;
  /** the address for deployments without a public one; undefined where there are none */
  privateHost?: string | undefined;
}

/** What the supervisor has stored of nodes whose provider is asked through it. */
export interface StoredNodes {
  /** undefined where no deployment has the node */
  findMachine: (node: NodeId) => Promise<EnrolledMachine | undefined>;
  /** Asks the node's agent to leave, and gives it up once it has been silent for long. */
  dismiss: (node: NodeId) => Promise<void>;
  /** The command with which a machine becomes the node. */
  enrolmentCommand: (node: NodeId, token: string) => Promise<string>;
  /** undefined where the node is in no account of a customer */
  findAccess: (node: NodeId) => Promise<NodeAccess<unknown> | undefined>;
  /** the access to a copy, also of a deployment that is gone; undefined where no backup has it */
  findCopyAccess: (copy: string) => Promise<CopyAccess<unknown> | undefined>;
  /** each account in which this driver has nodes, once */
  listAccesses: (driver: string) => Promise<NodeAccess<unknown>[]>;
}

/** A node on a machine of the customer, as its agent has reported it. */
export interface EnrolledMachine {
  /** of its agent; null before it has enrolled, and when it is taken away */
  public_key: object | null;
  revoked_at: Date | null;
  last_heartbeat_at: Date | null;
  unreachable_since: Date | null;
  ports: Heartbeat['ports'] | null;
  machine: Machine | null;
  /** when a machine without the node's data tried to enrol as it */
  data_gone_at: Date | null;
  /** when its agent was asked to leave */
  leaving_at: Date | null;
}

/** Where copies are in an account of a customer. `Access` is the account form of the cloud. */
export interface CopyAccess<Access> {
  access: Access;
  /** tells the deployment from every other */
  deployment: string;
  tenant_id: TenantId;
}

/** Where a node is in an account of a customer. */
export interface NodeAccess<Access> extends CopyAccess<Access> {
  /** whether clients come from outside of the network */
  is_public: boolean;
}
