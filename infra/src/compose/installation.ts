import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret } from '../secrets.ts';
import { commonServices, supervisorService } from '../service-secrets.ts';

/** What `infra/compose.yaml` runs, by the names of its services, and where its one-shot programs find what they share. */

export const regions = [
  { cloud: 'cloud_a', region: 'us-east-1' },
  { cloud: 'cloud_b', region: 'us-central1' },
];

export const services = [...commonServices, ...regions.map(supervisorService)];

/** Where PostgreSQL listens. */
export const postgres = 'postgres:5432';

/** The volume that only the one-shot programs see: all secrets, and `stack.json`. */
export const home = { path: (...names: string[]) => join('/installation', ...names) };

export const superuserPassword = () =>
  keptSecret(home, 'postgres.password', () => randomBytes(24).toString('base64url'));

/** A file of a volume that one service alone mounts, at `/run/secrets`. */
export const secretFile = (service: string, name: string) => join('/secrets', service, name);

/** The address of an API behind the front door, by the first part of its host. */
export function publicUrl(part: string, { SLUICE_DOMAIN, SLUICE_PORT }: NodeJS.ProcessEnv): string {
  return `http://${part}.${SLUICE_DOMAIN}:${SLUICE_PORT}`;
}

/** The first part of the host of a region's API. Hosts have no underscores. */
export const regionHost = ({ cloud, region }: { cloud: string; region: string }) =>
  `${region}.${cloud.replaceAll('_', '-')}.supervisor`;
