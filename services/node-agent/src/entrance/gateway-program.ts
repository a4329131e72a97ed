import { join } from 'node:path';
import { buildOf, haproxyVersion } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { haproxyMark, type Successor } from '../gateway/protocol.ts';

const sources = join(import.meta.dirname, '..');
const builtinProgram = join(sources, 'gateway/main.ts');
const haproxyProgram = join(sources, 'haproxy/main.ts');

interface Choice {
  AGENT_GATEWAY: 'builtin' | 'haproxy' | 'auto';
  AGENT_HAPROXY_PATH: string;
}

/** What an entrance can be made of. */
export interface GatewayPrograms {
  builtin: Successor;
  /** also where HAProxy's own program is; undefined where there is none, or none is wanted */
  haproxy?: Successor & { path: string };
}

/**
 * The programs of gateways that this node has. Where there is no HAProxy that can be used there is the built-in one alone: the same
 * rules hold, and a node that serves its clients is worth more than one that does so faster.
 */
export async function gatewayPrograms(
  { AGENT_GATEWAY: wanted, AGENT_HAPROXY_PATH: path }: Choice,
  log: Log,
): Promise<GatewayPrograms> {
  const node = process.execPath;
  const builtin = { node, program: builtinProgram, build: await buildOf(builtinProgram) };
  const version = wanted === 'builtin' ? null : await haproxyVersion(path);
  if (version !== null) {
    // another HAProxy is another gateway
    const build = `${haproxyMark}${version}-${await buildOf(haproxyProgram)}-${builtin.build}`;
    return { builtin, haproxy: { node, program: haproxyProgram, build, path } };
  }
  if (wanted === 'haproxy')
    log.error('there is no HAProxy that can be used, so the gateway is the built-in one', { program: path });
  return { builtin };
}
