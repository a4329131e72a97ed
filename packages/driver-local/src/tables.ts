import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { EmulatedConnection, EmulatedPeer, EmulatedState } from '@sluice/drivers';

/** The driver's own tables. */
export interface LocalTables {
  certificate_authorities: {
    id: GeneratedAlways<number>;
    certificate: string;
    sealed_key: string;
    not_before: Date;
    not_after: Date;
    signs_from: Date;
  };
  /** what the emulated network has in the place of a cloud */
  emulated_links: {
    uid: string;
    state: Generated<EmulatedState>;
    peer: EmulatedPeer;
    connections: ColumnType<EmulatedConnection[], string | undefined, string>;
    created_at: Generated<Date>;
  };
}

export type Database = Kysely<LocalTables>;
