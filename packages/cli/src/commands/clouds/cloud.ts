import type {
  AttachmentConnection,
  ByocSetup,
  CloudAPeering,
  CloudBPeering,
  EndpointService,
  NetworkInstructions,
  ServiceAttachment,
} from '@sluice/client';
import type { DeploymentCall } from '../entries/entries.ts';
import type { FieldTable } from '../entries/fields.ts';
import type { View } from '@sluice/terminal/output';

/** An option: Commander's flags, what the help says after the cloud's name, and how its value is read. */
export type CloudOption = readonly [flags: string, description: string, parse?: (text: string) => unknown];

/** What differs between clouds in the command line. */
export interface CloudCommands {
  /** what an account is called there */
  account: string;
  setup: NonNullable<View<ByocSetup>['fields']>;
  /** how to get into an account: the fields of a check, and of a new deployment */
  access: { options: readonly CloudOption[]; check: FieldTable; create: FieldTable };
  /** of a saved cloud account */
  settings: { options: readonly CloudOption[]; fields: FieldTable };
  /** left out where the program knows no private networks of it */
  links?: Readonly<Record<LinkKind, { options: readonly CloudOption[]; fields: FieldTable }>> & {
    /** loaded when a command runs: the help needs no client */
    operations: () => Promise<LinkOperationsByKind>;
  };
}

export type LinkKind = 'peering' | 'private-link';
export type LinkOperationsByKind = Readonly<Record<LinkKind, LinkOperations>>;

/** A peering or private link of any cloud, with what all have. */
export type Link = (CloudAPeering | CloudBPeering | EndpointService | ServiceAttachment) & {
  kind: LinkKind;
  status: string;
};

/** The operations of a kind of link on a cloud. */
export interface LinkOperations {
  /** the status in which it can be used */
  usable: string;
  /** whom it is with */
  peer: (link: Link) => string;
  list: (call: DeploymentCall) => Promise<Link[]>;
  create: (call: DeploymentCall, body: object) => Promise<{ response: Response }>;
  remove: (call: DeploymentCall, id: number) => Promise<unknown>;
  instructions?: (call: DeploymentCall, id: number) => Promise<{ data: NetworkInstructions }>;
  connections?: (call: DeploymentCall, id: number) => Promise<{ data: AttachmentConnection[] }>;
}

/** Links as an operation lists them, with their kind and, by one name, their status. */
export const linksOf =
  <T extends { status: string } | { state: string }>(kind: LinkKind) =>
  ({ data }: { data: T[] }): (T & { kind: LinkKind; status: string })[] =>
    data.map((link) => ({ ...link, kind, status: 'status' in link ? link.status : link.state }));

/** The path of an operation on a peering. */
export const peeringPath = (path: DeploymentCall['path'], peering_id: number) => ({
  path: { ...path, peering_id },
});
