import type { Tenant } from '@sluice/client';

export interface SettingsValues {
  name: string;
  description: string;
  email: string;
  protected: boolean;
}

type Settings = Pick<Tenant, 'name' | 'description' | 'email' | 'protected'>;

export const settingsOf = ({
  name,
  description,
  email,
  protected: isProtected,
}: Settings): SettingsValues => ({
  name,
  description: description ?? '',
  email,
  protected: isProtected,
});

interface Changes {
  name?: string;
  description?: string | null;
  email?: string;
  protected?: boolean;
}

/** What is different from how the organization is. An empty description is none. */
export function changedFields(tenant: Settings, values: SettingsValues): Changes {
  const before = settingsOf(tenant);
  const description = values.description.trim();
  return {
    ...(values.name !== before.name && { name: values.name }),
    ...(description !== before.description && { description: description === '' ? null : description }),
    ...(values.email !== before.email && { email: values.email }),
    ...(values.protected !== before.protected && { protected: values.protected }),
  };
}

/** What a limit is about, in words: `divisions_limit` is `Divisions`. */
export function limitTitle(name: string): string {
  const [, tier] = /^deployment_tiers\.(.+)$/.exec(name) ?? [];
  if (tier !== undefined) return `Deployments of the tier ${tier}`;
  const words = name
    .replace(/_(limit|enabled)$/, '')
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API')
    .replace(/\bips\b/, 'addresses')
    .replace(/\bdr\b/, 'recovery')
    .replace(/\bbyoc\b/, 'deployments in your own account')
    .replace(/\bmulti az\b/, 'several zones');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
