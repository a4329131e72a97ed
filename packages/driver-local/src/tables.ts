import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { EmulatedConnection, EmulatedPeer, EmulatedState } from '@sluice/drivers';

export interface LocalTables {
  certificate_authorities: {
    id: GeneratedAlways<number>;
    certificate: string;
    sealed_key: string;
    not_before: Date;
    not_after: Date;
    signs_from: Date;
  };
  emulated_links: {
    uid: string;
    state: Generated<EmulatedState>;
    peer: EmulatedPeer;
    connections: ColumnType<EmulatedConnection[], string | undefined, string>;
    created_at: Generated<Date>;
  };
}

export type Database = Kysely<LocalTables>;
