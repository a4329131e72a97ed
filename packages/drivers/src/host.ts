import type { Heartbeat, Machine, NodeId, TenantId } from '@sluice/contracts';
import type { Log } from '@sluice/system/log';
import type { SecretBox } from '@sluice/system/secrets';
import type { DriverDatabase } from './database.ts';

export interface DriverHost {
  cloud: string;
  region: string;
  /** the supervisor's public address, by which a driver tells its objects from those of another supervisor in the same account */
  supervisor: string;
  agents: AgentSettings;
  gateway: GatewaySettings;
  /** addresses and blocks that connectors may not connect to, separated by commas */
  refusedDestinations: string;
  /** those that they may connect to although they are refused otherwise */
  allowedDestinations: string;
  nodes: StoredNodes;
  database: DriverDatabase;
  secrets: SecretBox;
  stopping: AbortSignal;
  now: () => Date;
  log: Log;
}

export interface AgentSettings {
  supervisorUrl: string;
  /** certificates that they trust for it besides the public authorities, PEM */
  authority?: string;
  environment: Readonly<Record<string, string>>;
  remoteEnvironment: Readonly<Record<string, string>>;
  /** the broker's program on this machine */
  brokerProgram: string;
  /** the folder on this machine with the page that nodes serve; without it they serve none */
  streamPage?: string;
}

export interface GatewaySettings {
  host: string;
  /** the address for deployments without a public one; undefined where there are none */
  privateHost?: string | undefined;
}

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
  deployment: string;
  tenant_id: TenantId;
}

export interface NodeAccess<Access> extends CopyAccess<Access> {
  /** whether clients come from outside of the network */
  is_public: boolean;
}
