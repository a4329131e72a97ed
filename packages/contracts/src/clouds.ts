import { z } from 'zod';

/** How a value that a customer gives has to be written, and how a message says so. */
interface Form {
  pattern: RegExp;
  expected: string;
}

/** A cloud: all that differs between clouds, outside of their drivers and their parts of the API. */
export interface CloudRecord {
  /** the fields of the access to an account (`cloudAccessSchema`) that hold the account's id, and by whom Sluice gets into it */
  account: { id: string; identity: string };
  /** the id of an account that a tenant saves */
  savedAccount: Form;
  /** the access to an account, as a region is asked to check it */
  access: { account_id: Form; identity_arn: Form; vpc_id: Form };
  /** whether a role is assumed with the tenant's own external id, without which a tenant could name the role of another */
  hasExternalId: boolean;
  /** the account that an identity is of, where the identity says so */
  accountOf?: (identity: string) => string | undefined;
  /** types of storage of which there are copies */
  copiedStorage: readonly string[];
}

const records = {
  cloud_a: {
    account: { id: 'account_id', identity: 'identity_arn' },
    savedAccount: { pattern: /^[0-9]{12}$/, expected: '12 digits' },
    access: {
      account_id: { pattern: /^\d{12}$/, expected: 'an account id of 12 digits' },
      identity_arn: {
        pattern: /^arn:[a-z0-9_-]{1,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
        expected: 'the ARN of a role, such as arn:cloud_a:iam::123456789012:role/sluice',
      },
      vpc_id: { pattern: /^[A-Za-z0-9-]+$/, expected: 'the id of a network, such as vpc-0a1b2c3d' },
    },
    hasExternalId: true,
    accountOf: (identity: string) => identity.split(':')[4],
    copiedStorage: ['network_balanced'],
  },
  cloud_b: {
    account: { id: 'project_id', identity: 'service_account_email' },
    savedAccount: { pattern: /^[a-z]/, expected: 'the id of a project, which begins with a letter' },
    access: {
      account_id: {
        pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
        expected: 'a project id of 6 to 30 characters',
      },
      identity_arn: {
        pattern: /^[^@\s]{1,64}@[^@\s]{1,189}$/,
        expected: 'the mail address of a service account',
      },
      vpc_id: { pattern: /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, expected: 'the name of a network' },
    },
    hasExternalId: false,
    copiedStorage: [],
  },
} satisfies Record<string, CloudRecord>;

export type Cloud = keyof typeof records;

export const clouds: Record<Cloud, CloudRecord> = records;
export const cloudNames = () => Object.keys(clouds) as Cloud[];
export const otherClouds = (cloud: Cloud) => cloudNames().filter((name) => name !== cloud);

/** Looks when it is used, so that a test can have a further cloud. */
export const cloudSchema = z
  .string()
  .refine((name) => Object.hasOwn(clouds, name), 'has to be the name of a cloud')
  .meta({ enum: cloudNames() }) as unknown as z.ZodType<Cloud>;

/** How a region gets into the cloud account of a tenant: what the provider of that cloud asks for (interface, 4.4). */
export const cloudAccessSchema = z.object({
  cloud_a: z
    .object({
      account_id: z.string().max(20),
      /** the role to assume, with the external id */
      identity_arn: z.string().max(2_048),
      external_id: z.string().max(100),
      vpc_id: z.string().max(100),
      vpc_cidr: z.string().max(20).nullable(),
    })
    .optional(),
  cloud_b: z
    .object({
      project_id: z.string().max(100),
      service_account_email: z.string().max(254),
      vpc_name: z.string().max(100),
      /** absent in what an older version has sent */
      vpc_cidr: z.string().max(20).nullable().optional(),
    })
    .optional(),
});
export type CloudAccess = z.infer<typeof cloudAccessSchema>;

/** How far a link of the emulated network is; of its own accord it goes from `accepted` to `ready`. */
export type EmulatedState = 'asked' | 'accepted' | 'ready' | 'rejected' | 'failed' | 'withdrawn';

/** What is asked for, by kind. */
export interface LinkRequests {
  cloud_a_peering: {
    peer_vpc_id: string;
    /** the account that the peer's VPC is in, and its region: null for the deployment's */
    peer_owner_id: string;
    peer_region: string | null;
    peer_vpc_cidr: string;
  };
  cloud_a_service: {
    acceptance_required: boolean;
    /** accounts of 12 digits, ARNs or `*`; empty: any account */
    allowed_principals: string[];
  };
  cloud_b_peering: { peer_vpc_name: string; peer_project_id: string; peer_vpc_cidr: string };
  cloud_b_attachment: {
    connection_preference: 'accept_manual' | 'accept_automatic';
    /** projects; empty: any */
    consumer_accept_lists: string[];
    enable_proxy_protocol: boolean;
  };
}

export type LinkKind = keyof LinkRequests;

/** What the cloud says of one, as soon as it does. */
export interface LinkFacts {
  cloud_a_peering: { peering_connection_id: string; requester_vpc_id: string; requester_owner_id: string };
  cloud_a_service: { vpc_endpoint_service_id: string; service_name: string };
  cloud_b_peering: { vpc_name: string; project_id: string };
  cloud_b_attachment: { service_attachment_uri: string };
}

export interface LinkStatuses {
  cloud_a_peering:
    | 'initiating_request'
    | 'pending_acceptance'
    | 'provisioning'
    | 'active'
    | 'rejected'
    | 'expired'
    | 'failed'
    | 'deleting'
    | 'deleted';
  cloud_a_service: 'pending' | 'available' | 'deleting' | 'deleted' | 'failed';
  cloud_b_peering: 'inactive' | 'active' | 'deleted';
  cloud_b_attachment: 'pending' | 'active' | 'closed';
}
export type LinkStatus = LinkStatuses[LinkKind];

/** A kind of link: its statuses at moments that do not depend on its cloud, and how the emulated network shows it. */
export interface LinkForm<Kind extends LinkKind> {
  /** how the types of its events begin */
  event: 'vpc_peering' | 'private_link' | 'private_service';
  asked: LinkStatuses[Kind];
  gone: LinkStatuses[Kind];
  /** while it is being deleted, and once it cannot be; left out where it stays as it is */
  leaving?: LinkStatuses[Kind];
  failed?: LinkStatuses[Kind];
  /** the network on the other side of a peering, and its owner; left out by other kinds */
  peer?(wanted: LinkRequests[Kind]): { network: string; owner: string };
  /** the accounts that an endpoint admits, none for all; left out by peerings */
  admitted?(wanted: LinkRequests[Kind]): string[];
  emulated: Record<Exclude<EmulatedState, 'failed'>, LinkStatuses[Kind]>;
  /** @param own an id of the link, of 17 hexadecimal digits, as `network` is of its deployment */
  emulatedFacts(own: string, network: string, region: string): LinkFacts[Kind];
}

export const linkForms: { readonly [Kind in LinkKind]: LinkForm<Kind> } = {
  cloud_a_peering: {
    event: 'vpc_peering',
    ...{ asked: 'initiating_request', leaving: 'deleting', gone: 'deleted', failed: 'failed' },
    peer: ({ peer_vpc_id, peer_owner_id }) => ({ network: peer_vpc_id, owner: peer_owner_id }),
    emulated: {
      ...{ asked: 'pending_acceptance', accepted: 'provisioning', ready: 'active' },
      ...{ rejected: 'rejected', withdrawn: 'deleted' },
    },
    emulatedFacts: (own, network) => ({
      peering_connection_id: `pcx-${own}`,
      requester_vpc_id: `vpc-${network}`,
      requester_owner_id: '000000000000',
    }),
  },
  cloud_a_service: {
    event: 'private_link',
    ...{ asked: 'pending', leaving: 'deleting', gone: 'deleted', failed: 'failed' },
    admitted: ({ allowed_principals }) => allowed_principals,
    emulated: {
      ...{ asked: 'pending', accepted: 'available', ready: 'available' },
      ...{ rejected: 'available', withdrawn: 'available' },
    },
    emulatedFacts: (own, _network, region) => ({
      vpc_endpoint_service_id: `vpce-svc-${own}`,
      service_name: `com.cloud_a.vpce.${region}.vpce-svc-${own}`,
    }),
  },
  cloud_b_peering: {
    event: 'vpc_peering',
    ...{ asked: 'inactive', gone: 'deleted' },
    peer: ({ peer_vpc_name, peer_project_id }) => ({ network: peer_vpc_name, owner: peer_project_id }),
    emulated: {
      ...{ asked: 'inactive', accepted: 'active', ready: 'active' },
      ...{ rejected: 'inactive', withdrawn: 'inactive' },
    },
    emulatedFacts: (_own, network) => ({ vpc_name: `sluice-${network}`, project_id: 'emulated-project' }),
  },
  cloud_b_attachment: {
    event: 'private_service',
    ...{ asked: 'pending', gone: 'closed' },
    admitted: ({ consumer_accept_lists }) => consumer_accept_lists,
    emulated: {
      ...{ asked: 'pending', accepted: 'active', ready: 'active' },
      ...{ rejected: 'active', withdrawn: 'active' },
    },
    emulatedFacts: (own, _network, region) => ({
      service_attachment_uri: `projects/emulated-project/regions/${region}/serviceAttachments/sluice-${own}`,
    }),
  },
};
