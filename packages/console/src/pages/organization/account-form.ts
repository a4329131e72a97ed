import type { Cloud, CloudAccountDetail, CloudAccountInput } from '@sluice/client';
import { clouds, firstCloud } from '@sluice/console-core/clouds/index.ts';

export interface AccountValues {
  cloud: Cloud;
  name: string;
  account_id: string;
  region: string;
  remarks: string;
  /** the settings of the cloud, by field */
  settings: Record<string, string>;
}

export const accountValues = (account: CloudAccountDetail | undefined): AccountValues => {
  const cloud = account?.cloud ?? firstCloud;
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
  const given = clouds[cloud].settings.flatMap(({ key }) => {
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
