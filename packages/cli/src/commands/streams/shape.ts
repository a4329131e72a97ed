import type { StreamConfig } from '@nats-io/jetstream';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { readText } from '../../files.ts';

export interface ShapeFlags {
  subjects?: string[];
  description?: string;
  maxMessages?: number;
  maxMessagesPerSubject?: number;
  maxBytes?: number;
  /** milliseconds */
  maxAge?: number;
  maxMessageSize?: number;
  discard?: 'old' | 'new';
  /** milliseconds */
  duplicateWindow?: number;
  replicas?: number;
  /** a file with a configuration */
  config?: string;
}

const nanoseconds = (milliseconds: number): number => milliseconds * 1e6;

/** What the options say of a stream. 0 takes a limit away. @throws CliError where the file of --config has none */
export async function shapeOf(cli: Cli, flags: ShapeFlags): Promise<Partial<StreamConfig>> {
  const { subjects, description, discard, replicas, maxAge, duplicateWindow } = flags;
  return {
    ...(flags.config !== undefined && (await readConfig(cli, flags.config))),
    ...(subjects !== undefined && { subjects }),
    ...(description !== undefined && { description }),
    ...countLimit('max_msgs', flags.maxMessages),
    ...countLimit('max_msgs_per_subject', flags.maxMessagesPerSubject),
    ...countLimit('max_bytes', flags.maxBytes),
    ...countLimit('max_msg_size', flags.maxMessageSize),
    ...(maxAge !== undefined && { max_age: nanoseconds(maxAge) }),
    ...(duplicateWindow !== undefined && { duplicate_window: nanoseconds(duplicateWindow) }),
    ...(discard !== undefined && { discard }),
    ...(replicas !== undefined && { num_replicas: replicas }),
  };
}

/** JetStream has no limit as -1. */
const countLimit = <K extends keyof StreamConfig>(key: K, limit: number | undefined) =>
  limit === undefined ? {} : { [key]: limit === 0 ? -1 : limit };

async function readConfig(cli: Cli, file: string): Promise<Partial<StreamConfig>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readText(cli, file, '--config'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(`--config: ${file} is no JSON: ${error.message}`);
  }
  // what `sluice streams show -o json` and `nats stream info --json` write has it inside
  const config = isObject(parsed) && isObject(parsed['config']) ? parsed['config'] : parsed;
  if (!isObject(config)) throw usageError(`--config: ${file} has no configuration of a stream.`);
  return config;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
