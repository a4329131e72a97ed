import { scryptSync } from 'node:crypto';
import { z } from 'zod';
import type { Wanted } from './api-object.ts';
import { labelsOf, wanted, type DeploymentObjectsInput } from './deployment-input.ts';
import type { Installation, PullCredentials } from './installation.ts';
import { namespaceOf } from './labels.ts';

/** Credentials of a registry: pods find them in a Secret of their own namespace. */

export const pullSecretName = 'registry';

const entry = z
  .looseObject({ auth: z.string().min(1) })
  .or(z.looseObject({ username: z.string().min(1), password: z.string().min(1) }));
const dockerConfig = z.looseObject({ auths: z.record(z.string().min(1), entry) });

/** Whether a text is what `kubectl create secret docker-registry` keeps, and names a registry. */
export function isDockerConfig(text: string): boolean {
  try {
    const read = dockerConfig.safeParse(JSON.parse(text));
    return read.success && Object.keys(read.data.auths).length > 0;
  } catch {
    return false;
  }
}

/** The mark stands where more people read than Secrets: a short password cannot be guessed from it. */
export const pullCredentials = (text: string, owner: string): PullCredentials => ({
  ...{ text, mark: scryptSync(text, owner, 8).toString('hex') },
});

export function pullSecrets(installation: Installation, deployment: DeploymentObjectsInput): Wanted[] {
  const { owner, pull } = installation;
  if (!pull) return [];
  const metadata = {
    name: pullSecretName,
    namespace: namespaceOf(owner, deployment.id),
    labels: labelsOf(installation, deployment),
  };
  const data = { '.dockerconfigjson': Buffer.from(pull.text).toString('base64') };
  return [wanted('Secret', metadata, { type: 'kubernetes.io/dockerconfigjson', data })];
}
