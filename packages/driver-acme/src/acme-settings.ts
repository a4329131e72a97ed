import { isIP } from 'node:net';
import { ConfigError } from '@sluice/system';
import { z } from 'zod';
import { certificatesOf } from './chain.ts';

const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);
const pems = z
  .string()
  .refine((text) => certificatesOf(text).length > 0, 'has to be certificates in PEM form')
  .optional();
/** an address, or one with a port: 192.0.2.1, 192.0.2.1:5353, [2001:db8::1]:5353 */
const isNameServer = (entry: string) => {
  const [, inBrackets, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+)(?::\d{1,5})?)$/.exec(entry) ?? [];
  return isIP(inBrackets ?? plain ?? entry) > 0;
};
const isPrivateEnough = (address: string) =>
  address.startsWith('https://') || ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(address).hostname);

/** What a supervisor reads of the public authority that it asks for certificates (`CERTIFICATE_DRIVER=acme`). */
export const acmeSettings = {
  ACME_DIRECTORY_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('the directory of the public authority; needed with CERTIFICATE_DRIVER=acme'),
  ACME_CONTACTS: list
    .default([])
    .describe('addresses of mail that the authority may write to, separated by commas'),
  ACME_TERMS_AGREED: flag.default(false).describe('whether you agree to the terms of the authority'),
  ACME_EAB_KEY_ID: z.string().optional().describe('key id of the external account binding'),
  ACME_EAB_HMAC_KEY: z
    .string()
    .regex(/^[\w-]{16,}={0,2}$/, 'has to be base64url')
    .optional()
    .describe('HMAC key of the external account binding'),
  ACME_TLS_CA: pems.describe(
    'certificates (PEM) to trust when speaking to the authority, in place of the well-known ones',
  ),
  ACME_ROOTS: pems.describe(
    'roots (PEM) that the certificates of the authority lead to, where Node does not know them; clients get them',
  ),
  ACME_DNS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isPrivateEnough, 'has to be HTTPS, or on this machine')
    .optional()
    .describe(
      'where DNS records are set by POST /present and /cleanup, as lego calls httpreq; needed with CERTIFICATE_DRIVER=acme',
    ),
  ACME_DNS_USERNAME: z.string().optional().describe('user name there (basic authentication)'),
  ACME_DNS_PASSWORD: z.string().optional().describe('password there'),
  ACME_DNS_TLS_CA: pems.describe('certificates (PEM) to trust there, in place of the well-known ones'),
  ACME_DNS_SECONDS: z.coerce
    .number()
    .min(0)
    .max(3_600)
    .default(15)
    .describe('seconds after which a record that was set can be read everywhere'),
  ACME_DNS_RESOLVERS: list
    .refine(
      (entries) => entries.length <= 10 && entries.every(isNameServer),
      'has to be addresses, ten at most',
    )
    .default([])
    .describe(
      'addresses of name servers that all have to show a record before the authority is asked to look, such as those of the zone; separated by commas',
    ),
};

export type AcmeSettings = z.infer<z.ZodObject<typeof acmeSettings>>;

export function requireAcme<Environment extends AcmeSettings>(environment: Environment) {
  const { ACME_DIRECTORY_URL, ACME_DNS_URL } = environment;
  if (ACME_DIRECTORY_URL === undefined || ACME_DNS_URL === undefined)
    throw new ConfigError('CERTIFICATE_DRIVER: acme needs ACME_DIRECTORY_URL and ACME_DNS_URL');
  const { ACME_EAB_KEY_ID, ACME_EAB_HMAC_KEY } = environment;
  if ((ACME_EAB_KEY_ID === undefined) !== (ACME_EAB_HMAC_KEY === undefined))
    throw new ConfigError('ACME_EAB_KEY_ID: goes with ACME_EAB_HMAC_KEY');
  return { ...environment, ACME_DIRECTORY_URL, ACME_DNS_URL };
}
