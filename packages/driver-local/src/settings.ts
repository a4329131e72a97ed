import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portRangeSchema } from '@sluice/system';
import { z } from 'zod';

const agentEntry = fileURLToPath(new URL('../../../services/node-agent/src/main.ts', import.meta.url));

export const localNodeSettings = {
  LOCAL_NODES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('folder of the local driver, one subfolder per node; needed by it'),
  LOCAL_KEYS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of the keys that seal secrets in the folders of the local driver, best on another disk; default: <LOCAL_NODES_DIR>-keys',
    ),
  LOCAL_RUNTIME_DIR: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .optional()
    .describe(
      'folder in which those nodes keep secrets that brokers read as files, best in memory; default: /dev/shm, or that of the keys where there is none',
    ),
  LOCAL_AGENT_ENTRY: z.string().min(1).default(agentEntry).describe("the node agent's program"),
  BACKUPS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of backups of nodes of the local driver, best on another disk; without it these have none',
    ),
  GATEWAY_BIND_HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'address that gateways listen on where that is another, such as 0.0.0.0 in a container; GATEWAY_HOST when absent',
    ),
  GATEWAY_PORTS: portRangeSchema
    .optional()
    .describe(
      'ports that gateways listen on, first-last, of which a node needs one per protocol; any without it',
    ),
};

export const emulatedNetworkSettings = {
  EMULATED_PEERS: z
    .enum(['wait', 'accept', 'reject'])
    .default('accept')
    .describe('what the other side of emulated peerings does with each'),
};

export const localAuthoritySettings = {
  CERTIFICATE_DAYS: z.coerce
    .number()
    .min(1)
    .max(825)
    .default(90)
    .describe("days that certificates of the region's own authority are valid"),
  AUTHORITY_DAYS: z.coerce
    .number()
    .min(30)
    .max(36_500)
    .default(3_650)
    .describe(
      'days that such an authority is valid; the next is made after two thirds and signs after three quarters',
    ),
};

export type LocalNodeSettings = z.infer<z.ZodObject<typeof localNodeSettings>>;
