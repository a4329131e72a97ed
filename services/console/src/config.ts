import { serviceEnvironment } from '@sluice/service';
import { tracingSettings } from '@sluice/system/tracing';
import { z } from 'zod';

/** names below `localhost` lead to the machine itself, for browsers too (RFC 6761, section 6.3) */
const loopback = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Cookies of a session travel by HTTPS, unless they never leave the machine. */
const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || loopback.test(hostname);
};
const isOrigin = (address: string): boolean => new URL(address).href === `${new URL(address).origin}/`;

const layer = z.url({ protocol: /^https?$/ });

/** `<cloud>/<region>=<address>`, separated by commas. */
const regionAddresses = z
  .string()
  .default('')
  .transform((text, context) => {
    const pairs = text.split(',').filter((part) => part.trim() !== '');
    return new Map(
      pairs.map((pair): [string, URL] => {
        const [, key, address] = /^([a-z][a-z0-9_]*\/[a-z0-9-]+)=(https?:\/\/\S+)$/.exec(pair.trim()) ?? [];
        if (key !== undefined && address !== undefined && URL.canParse(address))
          return [key, new URL(address)];
        context.addIssue('has to be <cloud>/<region>=<address>, separated by commas');
        return ['', new URL('http://invalid.invalid')];
      }),
    );
  });

/** What the console reads from its environment: it has no database, and does not speak with NATS. */
export const consoleEnvironment = serviceEnvironment
  .pick({
    HOST: true,
    PORT: true,
    LOG_LEVEL: true,
    TRUSTED_PROXIES: true,
    REQUEST_HEADERS_SECONDS: true,
    REQUEST_BODY_SECONDS: true,
    SHUTDOWN_DELAY_SECONDS: true,
    SHUTDOWN_GRACE_SECONDS: true,
    SLUICE_STOP_WITH_PARENT: true,
  })
  .extend({
    ...tracingSettings,
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .refine(isOrigin, { error: 'has to be an origin, without a path' })
      .refine(isSafe, { error: 'has to be https, or on this machine' })
      .describe('where browsers reach the console: its one origin, by https except on loopback'),
    MAIN_API_URL: layer.describe('where the console reaches the Main API; it learns regions from there'),
    AUDIT_URL: layer.describe('where the console reaches the Audit API'),
    REGION_ADDRESSES: regionAddresses.describe(
      'where the console reaches regions, as `<cloud>/<region>=<address>` separated by commas; those that are not named at the addresses of the Main API, which clients have too',
    ),
    CONSOLE_REPLICAS: layer
      .optional()
      .describe(
        'address whose name leads to all replicas of the console: a file of the web app that one has not, as while releases change, is asked of the others',
      ),
    CONSOLE_FILES: z.string().min(1).describe('folder with the built files of the web app'),
    REGION_ADDRESS_SECONDS: z.coerce
      .number()
      .positive()
      .max(3_600)
      .default(15)
      .describe('seconds for which the addresses of regions are kept'),
    LAYER_CONNECT_SECONDS: z.coerce
      .number()
      .positive()
      .max(60)
      .default(5)
      .describe('seconds that a connection to an API may take, before that is away'),
    LAYER_IDLE_SECONDS: z.coerce
      .number()
      .positive()
      .max(3_600)
      .default(120)
      .describe('seconds without a byte after which the answer of an API is given up'),
  });
export type ConsoleEnvironment = z.infer<typeof consoleEnvironment>;
