import { isAbsolute } from 'node:path';
import type { Protocol } from '@sluice/contracts';
import { portRangeSchema } from '@sluice/system';
import { tracingSettings } from '@sluice/system/tracing';
import { z } from 'zod';

/** Without TLS, requests, which have the login of the broker, stay on this machine. */
function isSecureOrLocal(address: string): boolean {
  const { protocol, hostname = '' } = URL.parse(address) ?? {};
  return (
    protocol !== 'http:' ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

const blocks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((block) => block.trim())
      .filter((block) => block !== ''),
  );

const protocols = [
  'broker_http',
  'broker_tcp',
  'broker_websocket',
  'broker_udp',
] as const satisfies Protocol[];
const portsSchema = z.partialRecord(z.enum(protocols), z.coerce.number().int().min(1).max(65_535));

/** Undefined for what is not a list of <protocol>=<port>. */
function readPorts(text: string): Partial<Record<Protocol, number>> | undefined {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some(({ length }) => length !== 2)) return undefined;
  return portsSchema.safeParse(Object.fromEntries(pairs)).data;
}

function refusedPorts(context: z.core.$RefinementCtx<string>): never {
  const message = 'has to be a list of <protocol>=<port>, separated by commas';
  context.issues.push({ code: 'custom', input: context.value, message });
  return z.NEVER;
}

const settings = z.object({
  AGENT_HOME: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .describe("the agent's own folder, absolute; made when it is missing"),
  AGENT_SEALING_KEY_FILE: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .describe(
      'file outside of that folder with the key that seals secrets in it: <id>:<base64 of 32 bytes>, several separated by commas, of which the first seals',
    ),
  AGENT_RUNTIME_DIR: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .describe(
      "folder outside of the agent's own, best in memory, for what the broker reads as files, secrets among it; made when it is missing",
    ),
  AGENT_SUPERVISOR_URL: z
    .url({ protocol: /^https?$/ })
    .describe('https address of the supervisor; http only on the same machine'),
  AGENT_PLAIN_HTTP: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe(
      'whether that may be an http address of another machine: only where the network itself encrypts, as a service mesh does',
    ),
  AGENT_TOKEN_FILE: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .optional()
    .describe(
      'file with the one-time token, if not in the folder; it stays there, and a changed one makes the agent enrol anew',
    ),
  AGENT_ADDRESS: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/, 'has to be an address, or auto')
    .optional()
    .describe(
      "address at which clients reach this machine where it is the customer's; `auto` for the one by which it reaches the supervisor",
    ),
  AGENT_PRIVATE_ADDRESS: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe(
      'whether the gateway listens on a private address of the machine alone in place of AGENT_GATEWAY_HOST, and nowhere while the machine has none',
    ),
  AGENT_GATEWAY_HOST: z.string().default('127.0.0.1').describe('address that the gateway listens on'),
  AGENT_GATEWAY_PORTS: portRangeSchema
    .optional()
    .describe('ports that the gateway may listen on, first-last; any without it'),
  AGENT_PROTOCOL_PORTS: z
    .string()
    .default('')
    .transform((text, context) => readPorts(text) ?? refusedPorts(context))
    .describe(
      'ports that the gateway listens on by protocol, such as broker_tcp=4222,broker_websocket=8080; for the others AGENT_GATEWAY_PORTS or any free ports',
    ),
  AGENT_CLUSTER_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('port on which the broker listens for the other brokers of its cluster; default: a free one'),
  AGENT_ENDS_NODE: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe(
      'whether the agent ends its broker before it ends itself, as in a container, in which nothing outlives it',
    ),
  AGENT_BUILD: z
    .string()
    .regex(/^[0-9a-z]{1,40}$/, 'has to be lowercase letters and digits')
    .optional()
    .describe(
      'what the agent was built from, as set by its starter; the supervisor replaces an agent of another build',
    ),
  AGENT_TAKES_OVER: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe('whether the agent replaces the one that runs in the folder, which has to exist'),
  AGENT_CONNECTORS_ALLOWED: blocks.describe(
    'addresses and blocks of the node or its link that connectors may connect to, comma-separated',
  ),
  AGENT_CONNECTORS_REFUSED: blocks.describe(
    'addresses and blocks that connectors may not connect to, such as those of the control plane, comma-separated',
  ),
  LOG_LEVEL: z
    .enum(['error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('lowest level that is logged'),
  ...tracingSettings,
});

/** The environment of every agent; a runtime reads its own part. */
export const agentEnvironment = settings.refine(
  ({ AGENT_SUPERVISOR_URL, AGENT_PLAIN_HTTP }) => AGENT_PLAIN_HTTP || isSecureOrLocal(AGENT_SUPERVISOR_URL),
  {
    path: ['AGENT_SUPERVISOR_URL'],
    message: 'has to be an https address, or an http address of this machine (127.0.0.1, ::1, localhost)',
  },
);
export type AgentEnvironment = z.infer<typeof agentEnvironment>;
