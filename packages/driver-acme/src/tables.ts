import type { DeploymentId } from '@sluice/contracts';
import type { Generated, Kysely } from 'kysely';

export interface AcmeTables {
  acme_accounts: {
    directory_url: string;
    sealed_key: string;
    url: string | null;
    contacts: Generated<string[]>;
  };
  acme_orders: {
    deployment_id: DeploymentId;
    directory_url: string;
    names: string[];
    sealed_key: string;
    url: string | null;
    begun_at: Date;
    told_at: Date | null;
    placing_since: Date | null;
  };
  acme_records: {
    fqdn: string;
    value: string;
    deployment_id: DeploymentId;
    set_at: Date | null;
    unneeded_since: Date | null;
    remove_at: Generated<Date>;
  };
}

export type Database = Kysely<AcmeTables>;
