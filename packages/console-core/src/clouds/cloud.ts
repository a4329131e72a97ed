import type {
  AttachmentConnection,
  CloudAccessInput,
  NetworkInstructions,
  SluiceClient,
} from '@sluice/client';

/** A field of a form that one cloud has. */
export interface CloudField {
  key: string;
  label: string;
  about?: string;
  isRequired?: boolean;
  /** several, one per line */
  isList?: boolean;
}

/** What the pages show differently by cloud. */
export interface CloudPages<LinkAction extends string = string> {
  /** the word for an account */
  account: string;
  /** how to get into an account for a new deployment */
  access: {
    /** the field that holds the account's id */
    account: string;
    fields: readonly CloudField[];
    /** the fields of a check of the access, from the text of each field */
    check: (text: (key: string) => string) => Omit<CloudAccessInput, 'cloud' | 'region'>;
  };
  /** what is kept of the access to a saved account */
  settings: readonly CloudField[];
  /** the kinds of links, loaded with the tab that shows them */
  links: () => Promise<readonly LinkKind<LinkAction>[]>;
}

/** Where the operations go to. */
export interface Call {
  client: SluiceClient;
  path: { deployment_id: number };
}

/** A peering or a private link of any cloud. */
export interface NetworkLink {
  id: number;
  name: string;
  status: string;
  status_reason: string | null;
  remarks: string | null;
  created_at: string;
  /** what the cloud knows it by, and what it connects */
  facts: readonly (readonly [name: string, value: string | null])[];
}

/** What is sent for a new link, by field. */
export type LinkBody = { name: string } & Record<string, string | string[]>;

export interface LinkKind<LinkAction extends string = string> {
  key: 'peering' | 'private-link';
  title: string;
  about: string;
  /** the last segments of the path of its operations */
  path: string;
  create: LinkAction;
  remove: LinkAction;
  fields: readonly CloudField[];
  list: (call: Call, signal: AbortSignal) => Promise<NetworkLink[]>;
  make: (call: Call, body: LinkBody) => Promise<unknown>;
  destroy: (call: Call, id: number) => Promise<unknown>;
  /** the endpoints that are connected, or want to be */
  connections?: (call: Call, id: number, signal: AbortSignal) => Promise<AttachmentConnection[]>;
  /** what there is to do on the other side */
  instructions?: (call: Call, id: number, signal: AbortSignal) => Promise<NetworkInstructions>;
}

/** What all actions on links have in common. */
export const onNetwork = {
  layer: 'supervisor',
  scope: 'environment',
  permission: 'deployment:network:manage',
} as const;

/** One side of a peering, as far as it is known. */
export const sideOf = (...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ') || 'not known yet';
