import type { Cloud, CloudAccountDetail, CloudAccountInput } from '@sluice/client';

export interface AccountValues {
  cloud: Cloud;
  name: string;
  account_id: string;
  region: string;
  remarks: string;
  /** the settings of the cloud, by field */
  settings: Record<string, string>;
}

interface SettingField {
  key: string;
  label: string;
  about: string;
}

/** What is kept of the access to an account, by cloud. */
export const settingFields: Record<Cloud, readonly SettingField[]> = {
  cloud_a: [
    { key: 'identity_arn', label: 'Role', about: 'The ARN of the role that is assumed' },
    { key: 'external_id', label: 'External id', about: 'What its trust policy asks for' },
    { key: 'vpc_id', label: 'VPC', about: 'The network that nodes are placed in' },
    { key: 'vpc_cidr', label: 'Block of the VPC', about: 'Such as 10.20.0.0/16' },
  ],
  cloud_b: [
    { key: 'vpc_network', label: 'Network', about: 'The network that nodes are placed in' },
    { key: 'vpc_cidr', label: 'Block of the network', about: 'Such as 10.20.0.0/16' },
  ],
};

export const accountValues = (account: CloudAccountDetail | undefined): AccountValues => {
  const cloud = account?.cloud ?? 'cloud_a';
  const settings = Object.entries(account?.settings?.[cloud] ?? {});
  return {
    cloud,
    name: account?.name ?? '',
    account_id: account?.account_id ?? '',
    region: account?.region ?? '',
    remarks: account?.remarks ?? '',
    settings: Object.fromEntries(settings.map(([key, value]) => [key, value ?? ''])),
  };
};

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** What the form sends: without any setting none are kept. */
export function accountInput({ cloud, name, account_id, region, remarks, settings }: AccountValues) {
  const given = settingFields[cloud].flatMap(({ key }) => {
    const text = settings[key]?.trim() ?? '';
    return text === '' ? [] : [[key, text]];
  });
  return {
    ...{ cloud, name, account_id, region: orNull(region), remarks: orNull(remarks) },
    // the API says which of them are missing
    settings:
      given.length === 0
        ? null
        : ({ [cloud]: Object.fromEntries(given) as object } as CloudAccountInput['settings'] & object),
  };
}
