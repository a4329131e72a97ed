import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeId } from '@sluice/contracts';
import type { AgentSettings } from '@sluice/drivers';
import type { Programs } from './programs.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const encoded = (text = '') => Buffer.from(text).toString('base64');

export async function enrolmentScript(place: AgentSettings, programs: Programs): Promise<string> {
  const template = await readFile(join(import.meta.dirname, 'enrol.sh'), 'utf8');
  const values: Record<string, string> = {
    SUPERVISOR: quoted(place.supervisorUrl.replace(/\/+$/, '')),
    DIGEST: quoted(programs.digest),
    PLATFORM: quoted(programs.platform),
    AUTHORITY: quoted(encoded(place.authority)),
    ENVIRONMENT: linesOf(place.remoteEnvironment),
  };
  return template.replaceAll(/@([A-Z]+)@/g, (whole, name: string) => values[name] ?? whole);
}

/** They stand in a here-document, in which the shell looks for a few signs. */
function linesOf(environment: AgentSettings['environment']): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value.replaceAll(/[\\$`]/g, '\\$&').replaceAll('\n', ' ')}`)
    .join('\n');
}

export interface EnrolledNode {
  id: NodeId;
  token: string;
  /** whether it is to listen at a private address of its machine alone */
  isPrivate: boolean;
}

/** What a person runs on a machine: it fetches the script, and runs it when it is this one. */
export function enrolmentCommand(
  { supervisorUrl, authority }: AgentSettings,
  script: string,
  { id, token, isPrivate }: EnrolledNode,
): string {
  const url = quoted(`${supervisorUrl.replace(/\/+$/, '')}/agent/v1/enrol.sh`);
  const trust = authority === undefined ? undefined : 'sluice-authority.pem';
  const parts = [
    ...(trust === undefined ? [] : [`printf %s ${encoded(authority)} | base64 -d > ${trust}`]),
    `{ curl -fsS${trust === undefined ? '' : ` --cacert ${trust}`} -o sluice-enrol.sh ${url}` +
      ` || wget -q${trust === undefined ? '' : ` --ca-certificate=${trust}`} -O sluice-enrol.sh ${url}; }`,
    `echo '${hash('sha256', script)}  sluice-enrol.sh' | sha256sum -c -`,
    `$(command -v sudo) env${isPrivate ? ' SLUICE_PRIVATE=true' : ''} SLUICE_NODE=${id} SLUICE_TOKEN=${token} sh sluice-enrol.sh`,
  ];
  return parts.join(' && ');
}
