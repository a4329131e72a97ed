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
  /** the account that an identity is of, where that can be told */
  accountOf?(identity: string): string | undefined;
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
  .refine(
    (name) => Object.hasOwn(clouds, name),
    'has to be the name of a cloud',
  ) as unknown as z.ZodType<Cloud>;
